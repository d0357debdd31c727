import { writeFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { JOB_NAMES } from '@plantroom/contract/jobs'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import type { JobRow } from './job.ts'
import { startJobProcess } from './job-process.ts'
import { TEST_KINDS } from './testing/job-bench.ts'

const job = { id: 'job_1', claim: 1, name: JOB_NAMES[0], retryCount: 1, maxAttempts: 1 } as unknown as JobRow
const settings = { heapMb: 64, retryHeapMb: 64, kinds: TEST_KINDS, output: { write: () => {} } }

function programOf(source: string): string {
  const program = join(temporaryFolder(), 'program.mjs')
  writeFileSync(program, source)
  return program
}

test('a job process has the environment of its worker, and nothing else', async () => {
  const program = programOf(
    "process.send({ ending: { kind: 'done', output: { ...process.env } } }, () => process.exit(0))",
  )
  const environment = { DATABASE_URL: 'postgres://from-the-file' }
  const { ending } = startJobProcess(job, { ...settings, program, environment }, systemClock)
  const { output } = (await ending) as { output: Record<string, string> }
  expect(output).toMatchObject(environment)
  expect(output.PATH).toBeUndefined()
})

test('a job process gives way to the processes that serve requests', async () => {
  const child = startJobProcess(job, { ...settings, program: programOf('for (;;);') }, systemClock)
  expect(getPriority(child.pid)).toBe(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))
  child.kill()
  await child.ending
})

test('the lines of a job process go through the log of its worker', async () => {
  const program = programOf("process.stdout.write('one\\ntwo\\n', () => process.exit(0))")
  const lines: string[] = []
  const output = { write: (line: string) => void lines.push(line) }
  await startJobProcess(job, { ...settings, program, output }, systemClock).ending
  expect(lines).toEqual(['one\n', 'two\n'])
})

test.runIf(process.platform === 'linux')(
  'a job in an endless loop is ended, and its error says what to do',
  async () => {
    const program = programOf("process.send({ progress: { stage: 'converting', done: 1, total: 2 } }); for (;;);")
    const { ending } = startJobProcess(job, { ...settings, program, stalledCpuMs: 500 }, systemClock)
    const ended = await ending
    expect(ended).toMatchObject({ kind: 'failed', final: true })
    expect(ended).toHaveProperty('message', expect.stringContaining('Export the file again'))
  },
)

test('a job in an endless loop ends after the grace time when its worker stops', async () => {
  const program = programOf('for (;;);')
  const child = startJobProcess(job, { ...settings, program }, systemClock)
  child.stop(300)
  expect(await child.ending).toEqual({ kind: 'stopped' })
})
