# VGPRs from `from` on get numbers that are `by` higher, wherever the file names them.
function moved(number) { return number + 0 >= from ? number + by : number }
{
  rest = $0
  line = ""
  while (match(rest, /(^|[^A-Za-z0-9_.])v(\[[0-9]+:[0-9]+\]|[0-9]+)/)) {
    found = substr(rest, RSTART, RLENGTH)
    line = line substr(rest, 1, RSTART - 1)
    rest = substr(rest, RSTART + RLENGTH)
    at = index(found, "v")
    line = line substr(found, 1, at)
    found = substr(found, at + 1)
    if (found ~ /^\[/) {
      split(substr(found, 2, length(found) - 2), ends, ":")
      line = line "[" moved(ends[1]) ":" moved(ends[2]) "]"
    } else {
      line = line moved(found)
    }
  }
  line = line rest
  if (line ~ /[a-z0-9]\.num_vgpr, [0-9]+$|next_free_vgpr [0-9]+$|  \.vgpr_count: +[0-9]+$/) {
    match(line, /[0-9]+$/)
    line = substr(line, 1, RSTART - 1) (substr(line, RSTART) + by)
  }
  print line
}
