// SPDX-License-Identifier: BSD-3-Clause
//
// The test framework. A test is TEST("a sentence") { CHECK(…); CHECK_EQUAL(a, b); }; main.cpp runs all of them.

#pragma once

#include <iostream>
#include <vector>

struct Test {
  const char* sentence;
  void (*body)();
};

std::vector<Test>& tests();
extern int failures;

struct Registered {
  Registered(const char* sentence, void (*body)()) { tests().push_back(Test{sentence, body}); }
};

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEST(sentence)                                                            \
  static void JOIN(test_, __LINE__)();                                            \
  static Registered JOIN(registered_, __LINE__)(sentence, JOIN(test_, __LINE__)); \
  static void JOIN(test_, __LINE__)()

#define CHECK(condition)                                                                   \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      failures++;                                                                          \
      std::cerr << __FILE__ << ":" << __LINE__ << ": not so: " << #condition << std::endl; \
    }                                                                                      \
  } while (false)

#define CHECK_EQUAL(found, expected)                                                                   \
  do {                                                                                                 \
    auto found_ = (found);                                                                             \
    decltype(found_) expected_ = (expected);                                                           \
    if (!(found_ == expected_)) {                                                                      \
      failures++;                                                                                      \
      std::cerr << __FILE__ << ":" << __LINE__ << ": " << #found << " is " << show(found_) << ", not " \
                << show(expected_) << std::endl;                                                       \
    }                                                                                                  \
  } while (false)

inline std::string show(const std::string& text) { return "\"" + text + "\""; }
template <typename T>
std::string show(const T& value) {
  return std::to_string(value);
}
template <typename T>
std::string show(const std::vector<T>& values) {
  std::string text = "[";
  for (const T& value : values) text += show(value) + " ";
  return text + "]";
}
