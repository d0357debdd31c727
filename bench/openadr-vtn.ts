import { startVtnDouble } from '@plantroom/testkit/vtn-double'

/** A VTN of its own for the benchmark: its work is not that of the worker. */
export interface BenchVtn {
  baseUrl: string
  programs: Readonly<Record<'quiet' | 'days' | 'long' | 'pushed' | 'polled' | 'stalled', string>>
}

/** What its operator is asked to do. */
export type VtnQuestion =
  | { kind: 'add'; program: keyof BenchVtn['programs']; count: number; intervals?: number; from: number }
  | { kind: 'change'; program: keyof BenchVtn['programs']; value: number }
  | { kind: 'announce'; program: keyof BenchVtn['programs']; callbackUrl: string }
  /** Answered when a worker waits for the rest of a list, which does not come. */
  | { kind: 'stall' }
  /** Answered when a worker has the first page of a list, and gets the rest. */
  | { kind: 'answer' }

const HOUR = 3_600_000
const FOREVER_MS = 600_000

const vtn = await startVtnDouble({ version: '3.1' })
const idOf = (programName: string) => vtn.addProgram({ programName }).id
const programs = {
  ...{ quiet: idOf('quiet'), days: idOf('days'), long: idOf('long') },
  ...{ pushed: idOf('pushed'), polled: idOf('polled'), stalled: idOf('stalled') },
}
const last = new Map<string, string>()

const event = (programID: string, from: number, values: readonly number[]) => ({
  programID,
  intervalPeriod: { start: new Date(from).toISOString(), duration: 'PT1H' },
  intervals: values.map((value, id) => ({ id, payloads: [{ type: 'DISPATCH_SETPOINT', values: [value] }] })),
})

const answers: { [Kind in VtnQuestion['kind']]: (question: Extract<VtnQuestion, { kind: Kind }>) => unknown } = {
  add({ program, count, intervals = 1, from }) {
    for (let index = 0; index < count; index += 1) {
      const values = Array.from({ length: intervals }, (_, number) => index + number)
      last.set(program, vtn.addEvent(event(programs[program], from + index * HOUR, values)).id)
    }
  },
  change({ program, value }) {
    const intervals = [{ id: 0, payloads: [{ type: 'DISPATCH_SETPOINT', values: [value] }] }]
    vtn.changeEvent(last.get(program) ?? '', { intervals })
  },
  announce({ program, callbackUrl }) {
    const operation = { objects: ['EVENT'], operations: ['UPDATE'], callbackUrl }
    vtn.subscriptions.add({ clientName: 'bench', programID: programs[program], objectOperations: [operation] })
  },
  stall: () => afterPage(FOREVER_MS),
  answer: () => afterPage(0),
}

/** Resolves after the next page of a list, when the pages after it take this long. */
function afterPage(delayMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  vtn.faults.delayMs = 0
  vtn.faults.betweenPages = () => {
    Object.assign(vtn.faults, { delayMs, betweenPages: undefined })
    resolve()
  }
  return promise
}

process.on('message', async (question: VtnQuestion) => {
  await answers[question.kind](question as never)
  process.send?.({ at: Date.now() })
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: { baseUrl: vtn.baseUrl, programs } satisfies BenchVtn })
