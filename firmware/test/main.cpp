// SPDX-License-Identifier: BSD-3-Clause
//
// The main program of the tests.

#include <cstring>

#include "check.h"

int failures = 0;

std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

// Run all tests, or those whose sentence contains the first argument. Return 1 if a test fails, or if none was run.
int main(int count, char** words) {
  int failed = 0, ran = 0;
  for (const Test& test : tests()) {
    if (count > 1 && !std::strstr(test.sentence, words[1])) continue;
    failures = 0;
    test.body();
    ran++;
    if (failures) {
      failed++;
      std::cerr << "FAILED: " << test.sentence << std::endl;
    }
  }
  std::cout << ran - failed << " of " << ran << " tests passed" << std::endl;
  return failed || !ran ? 1 : 0;
}
