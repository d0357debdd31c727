import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { JOB_NAMES } from '@plantroom/contract/jobs'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import type { JobRow } from './job.ts'
import { startJobProcess } from './job-process.ts'
import { TEST_KINDS } from './testing/job-bench.ts'

test('a job process has the environment of its worker, and nothing else', async () => {
  const program = join(temporaryFolder(), 'program.mjs')
  writeFileSync(
    program,
    "process.send({ ending: { kind: 'done', output: { ...process.env } } }, () => process.exit(0))",
  )
  const [name] = JOB_NAMES
  const job = { id: 'job_1', claim: 1, name, retryCount: 1, maxAttempts: 1 } as unknown as JobRow
  const settings = { program, heapMb: 64, retryHeapMb: 64, kinds: TEST_KINDS }
  const environment = { DATABASE_URL: 'postgres://from-the-file' }
  const { ending } = startJobProcess(job, { ...settings, environment }, systemClock)
  const { output } = (await ending) as { output: Record<string, string> }
  expect(output).toMatchObject(environment)
  expect(output.PATH).toBeUndefined()
})
