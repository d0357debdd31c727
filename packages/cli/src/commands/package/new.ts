import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { flawOfPackageName } from '@plantroom/fpl/package-name'
import { parse, positionals, UsageError } from '../../command.ts'
import { print, printable } from '../../output.ts'

/** Runs `plantroom package new`: writes a package without requests, for `package add`. */
export async function newPackage(args: readonly string[]): Promise<void> {
  const { values: flags, positionals: given } = parse(args, {
    help: { type: 'boolean', short: 'h' },
    json: { type: 'boolean' },
  })
  const { FILE } = positionals(given, 'FILE')
  const flaw = flawOfPackageName(basename(FILE))
  if (flaw !== undefined) throw new UsageError(`${FILE}: the name ${flaw}`)
  if (existsSync(FILE)) throw new Error(`${FILE} exists; use another name, or add to it with plantroom package add`)
  const { writePackage } = await import('@plantroom/fpl/write-package')
  await writePackage(FILE, { tickets: [], attachments: [] })
  print(
    flags.json,
    { file: FILE, tickets: 0, comments: 0, attachments: 0 },
    () => `${printable(FILE)}: written, without requests`,
  )
}
