import type { ExportOutput } from '@plantroom/contract/jobs'
import { createAtomicFile } from '../atomic-file.ts'
import { parse, positionals } from '../command.ts'
import { fetchFile } from '../fetch-file.ts'
import { print } from '../output.ts'
import { openDesk, tell } from './package-desk.ts'
import { asManager, SITE_FLAGS } from './package-site.ts'
import { resultOf } from './package-words.ts'

/** `plantroom package export`: all requests of the site into a file here. */
export async function exportPackage(args: readonly string[]): Promise<void> {
  const { values: flags, positionals: given } = parse(args, SITE_FLAGS)
  const { FILE } = positionals(given, 'FILE')
  // Whoever cannot write it is told now, and not after the hour that an export may take.
  createAtomicFile(FILE).discard()

  const packages = await asManager(flags)
  using desk = openDesk(packages)
  const job = await desk.follow(FILE, await packages.export())
  if (job.status === 'ERROR') return tell(packages, FILE, job, flags)

  const { url, tickets, comments, attachments, bytes } = job.output as ExportOutput
  await fetchFile(url, FILE, bytes, desk.showFetched(FILE))
  desk.clear()
  print(flags.json, { file: FILE, tickets, comments, attachments, bytes }, () => resultOf(FILE, job))
}
