import { startVtnDouble } from '@plantroom/testkit/vtn-double'

/** A VTN of its own for the benchmark: its work is not that of the worker. */
export interface BenchVtn {
  baseUrl: string
  programs: { quiet: string; long: string; pushed: string }
}

/** What its operator is asked to do. */
export type VtnQuestion =
  | { kind: 'add'; program: keyof BenchVtn['programs']; count: number; from: number }
  | { kind: 'change'; program: keyof BenchVtn['programs']; value: number }
  | { kind: 'announce'; program: keyof BenchVtn['programs']; callbackUrl: string }

const HOUR = 3_600_000

const vtn = await startVtnDouble({ version: '3.1' })
const idOf = (programName: string) => vtn.addProgram({ programName }).id
const programs = { quiet: idOf('quiet'), long: idOf('long'), pushed: idOf('pushed') }
const last = new Map<string, string>()

const event = (programID: string, from: number, value: number) => ({
  programID,
  intervalPeriod: { start: new Date(from).toISOString(), duration: 'PT4H' },
  intervals: [{ id: 0, payloads: [{ type: 'DISPATCH_SETPOINT', values: [value] }] }],
})

const answers = {
  add({ program, count, from }: Extract<VtnQuestion, { kind: 'add' }>) {
    const id = programs[program]
    for (let index = 0; index < count; index += 1)
      last.set(program, vtn.addEvent(event(id, from + index * HOUR, index)).id)
  },
  change({ program, value }: Extract<VtnQuestion, { kind: 'change' }>) {
    const intervals = [{ id: 0, payloads: [{ type: 'DISPATCH_SETPOINT', values: [value] }] }]
    vtn.changeEvent(last.get(program) ?? '', { intervals })
  },
  announce({ program, callbackUrl }: Extract<VtnQuestion, { kind: 'announce' }>) {
    const operation = { objects: ['EVENT'], operations: ['UPDATE'], callbackUrl }
    vtn.subscriptions.add({ clientName: 'bench', programID: programs[program], objectOperations: [operation] })
  },
}

process.on('message', (question: VtnQuestion) => {
  answers[question.kind](question as never)
  process.send?.({ at: Date.now() })
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: { baseUrl: vtn.baseUrl, programs } satisfies BenchVtn })
