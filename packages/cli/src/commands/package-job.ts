import type { ExportOutput } from '@plantroom/contract/jobs'
import { parse, positionals } from '../command.ts'
import { print } from '../output.ts'
import { LIST_FLAGS, openDesk, requireListNames, tell } from './package-desk.ts'
import { barOf } from './package-follow.ts'
import { asManager, SITE_FLAGS } from './package-site.ts'

/** `plantroom package job`: what became of a job, or how far it is. */
export async function job(args: readonly string[]): Promise<void> {
  const { values: flags, positionals: given } = parse(args, {
    ...SITE_FLAGS,
    ...LIST_FLAGS,
    'no-wait': { type: 'boolean' },
  })
  const { JOBID } = positionals(given, 'JOBID')
  requireListNames(flags)
  const packages = await asManager(flags)
  using desk = openDesk(packages)
  const found = flags['no-wait'] ? await packages.job(JOBID) : await desk.follow(JOBID, JOBID)
  if (!found.resolved) {
    const { label, done, total } = barOf(found)
    return print(flags.json, found, () => `${JOBID}: ${label}${total > 0 ? `, ${done} of ${total}` : ''}`)
  }
  await tell(packages, JOBID, found, flags)
  if (found.name === 'TICKET_EXPORT' && !flags.json) console.log(whereFrom(found.output as ExportOutput))
}

function whereFrom({ url }: ExportOutput): string {
  return url === '' ? '  the package is not kept any more: export again' : `  for an hour at ${url}`
}
