# Plants a fault (a sed command) in the second kernel and compares it with the first on the emulator.
loader=$1 inputs=$2 out=$3 first=$4 second=$5 fault=$6 launch=${7:-buffers.json}
sed -e "$fault" "$inputs/$second.s" > "$out"
"$loader" verify "$out" --against "$inputs/$first.s" --launch "$inputs/$launch" $8 --delays 2>&1
true
