# Print how much of the flash and RAM of a board (first argument: uno or mega) a program takes.
# Reads the output of `avr-size -A` from standard input.
case $1 in
  uno) flash=32768 ram=2048 ;;
  *) flash=262144 ram=8192 ;;
esac
awk -v board="$1" -v flash=$flash -v ram=$ram '
  $1 == ".text" { f += $2 }
  $1 == ".data" { f += $2; r += $2 }
  $1 == ".bss" || $1 == ".noinit" { r += $2 }
  END { printf "%s: flash %d of %d bytes (%.1f %%), RAM %d of %d bytes (%.1f %%)\n",
        board, f, flash, 100 * f / flash, r, ram, 100 * r / ram }'
