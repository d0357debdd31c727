import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { flawOfPackageName } from '@plantroom/fpl/package-name'
import { COMMON_FLAGS, UsageError } from '../../command.ts'
import { verb } from '../../declare.ts'
import { print, printable } from '../../output.ts'

export const newPackage = verb({
  about: 'write a package without requests, for package add',
  arguments: [{ name: 'FILE', completes: 'file' }],
  options: { json: COMMON_FLAGS.json },
  json: '{file, tickets, comments, attachments}',
  async run(flags, { FILE }) {
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
  },
})
