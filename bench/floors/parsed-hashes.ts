import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** Reads an exported audit, parses every entry and hashes it, without checking anything. Argument: the file. */
const [file = ''] = process.argv.slice(2)
let hashed = 0
for await (const text of createInterface({ input: createReadStream(file) })) {
  const { entry } = JSON.parse(text) as { entry?: string }
  if (entry === undefined) continue
  JSON.parse(entry)
  hash('sha256', entry)
  hashed += 1
}
process.stdout.write(String(hashed))
