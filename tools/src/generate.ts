import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { generatedFiles } from './generated-files.ts'
import { start } from './start.ts'
import { ROOT } from './steps.ts'

const HELP = `Usage: plantroom generate

Writes the files that follow from packages/contract: the OpenAPI description, the operations of the client and the
tables of the reference; the reference of the command line, which follows from what commands declare; and the pages of templates. Run it after a
change to one of them; 'plantroom check' fails while they are out of date.

  --help  this text
`

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { help: { type: 'boolean' } } })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  for (const { path, content } of await generatedFiles(ROOT)) {
    const before = await readFile(join(ROOT, path), 'utf8').catch(() => undefined)
    if (before === content) continue
    await mkdir(dirname(join(ROOT, path)), { recursive: true })
    await writeFile(join(ROOT, path), content)
    console.log(`wrote ${path}`)
  }
  return 0
}

await start('generate', main)
