// Runs many command lines with the real command line program in one process, and prints for each its exit code and its
// message. No service answers, so a command that parses fails with 1, and one that does not parse with 2.
import { createInterface } from 'node:readline'

/** Nothing listens there. */
const NOBODY = 'http://127.0.0.1:1'

process.stdout.setMaxListeners(0)
const main = process.argv[2] ?? ''
const print = process.stdout.write.bind(process.stdout)
const lines: string[] = []
process.stdout.write = () => true
process.stderr.write = (text) => lines.push(String(text)) > 0

let number = 0
for await (const line of createInterface({ input: process.stdin })) {
  number += 1
  // Standard input has the commands, and no server of an example answers.
  const args = (JSON.parse(line) as string[]).map((arg) =>
    arg === '-' ? 'stdin.json' : arg.replace(/^https:.*/, NOBODY),
  )
  // The profiles of examples do not exist.
  const profile = args.indexOf('--profile')
  if (profile >= 0) args.splice(profile, 2)
  // It would go on watching.
  if (args[1] === 'watch') args.push('--count', '1')
  process.argv = [process.argv[0] ?? '', main, ...args]
  process.exitCode = 0
  await import(`${main}?${number}`)
  print(`${JSON.stringify({ code: process.exitCode, message: lines.splice(0).join('').trim() })}\n`)
}
process.exit(0)
