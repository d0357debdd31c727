import type { ExportOutput } from '@plantroom/contract/jobs'
import { SITE_FLAGS, siteClient } from '../../clients.ts'
import { flag } from '../../command.ts'
import { verb } from '../../declare.ts'
import { print } from '../../output.ts'
import { progressOf } from './follow-job.ts'
import { printResult } from './job-result.ts'
import { LIST_FLAGS, requireListNames } from './lists.ts'
import { openSession } from './session.ts'

export const job = verb({
  about: 'wait for a job and print its result; for an export, the address of the package',
  arguments: [{ name: 'JOBID' }],
  options: { ...SITE_FLAGS, ...LIST_FLAGS, 'no-wait': flag('print the current progress and exit') },
  json: 'the job',
  async run(flags, { JOBID }) {
    requireListNames(flags)
    const target = await siteClient(flags)
    using session = openSession(target)
    const found = flags['no-wait']
      ? await target.client.getJob({ ...target.site, jobId: JOBID })
      : await session.follow(JOBID, JOBID)
    if (!found.resolved) {
      const { label, done, total } = progressOf(found)
      return print(flags.json, found, () => `${JOBID}: ${label}${total > 0 ? `, ${done} of ${total}` : ''}`)
    }
    await printResult(target, JOBID, found, flags)
    if (found.name === 'TICKET_EXPORT' && !flags.json) console.log(whereFrom(found.output as ExportOutput))
  },
})

function whereFrom({ url }: ExportOutput): string {
  return url === '' ? '  the package has been deleted; export again' : `  download it within an hour: ${url}`
}
