# Decides which program runs a command, and with which flags of Node. Sets `program` and `flags`, and drops the arguments
# that the program does not need. The `plantroom` of a checkout and the one of a release include this file.

# A young generation of 4 MB instead of 16 takes a tenth less memory when idle and a third less under load. A controller
# has little memory and little work: it gets a quarter of that.
flags=--max-semi-space-size=4
case "${1:-}" in
  edge) program=edge/src/main flags=--max-semi-space-size=1 && shift ;;
  cloud) program=cloud/src/main && shift ;;
  worker) program=cloud/src/worker && shift ;;
  config | doctor | support) program=cloud/src/operator ;;
  backup | restore) program=cloud/src/backup ;;
  simulate) program=simulator/src/main && shift ;;
  # A hostile package creates much garbage, which is collected early only under a small limit. A conversion remembers the
  # ids of all requests, and gets as much as the job that does the same.
  package) program=cli/src/main flags="$flags --max-old-space-size=$([ "${2:-}" = from ] && echo 512 || echo 128)" ;;
  *) program=cli/src/main ;;
esac

# The name of a program in a build, as in packages/base/src/program-file.ts.
built_name() {
  echo "${1%%/*}-${1##*/}"
}
