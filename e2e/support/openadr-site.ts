import type { GivenOpenadrProgram, OpenadrEvent } from '@plantroom/contract/openadr'
import { startVtnDouble, type VtnDouble } from '@plantroom/testkit/vtn-double'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import { type Part, startPart } from './part.ts'
import { programOf } from './programs.ts'
import { type Stack, startStack } from './stack.ts'

/** Lets the cloud and its workers reach a VTN on this machine. */
const REACH = { PLANTROOM_WEBHOOK_PRIVATE: '127.0.0.1' }

/** A program that the service follows. */
export interface FollowedProgram extends AsyncDisposable {
  readonly programId: string
  /** Every event of the program as people see it. */
  shownEvents(): Promise<readonly OpenadrEvent[]>
}

/** A program that the service follows at a VTN of its own. */
export interface Followed extends FollowedProgram {
  readonly vtn: VtnDouble
  /** The program at the VTN. */
  readonly vtnProgramId: string
  /** Adds an event whose intervals follow one another from `from`, each of `eachMs`. Returns its id at the VTN. */
  addEvent(about: Intervals): string
  changeEvent(id: string, about: Intervals): void
}

interface Intervals {
  payload: string
  values: readonly number[]
  eachMs: number
  /** In milliseconds since 1970; half a minute ago when missing. */
  from?: number
  more?: object
}

/** Where events are followed: a stack with a worker, which starts others on demand. */
export interface OpenadrStack extends Stack {
  readonly worker: Part<object>
  startWorker(): Promise<Part<object> & AsyncDisposable>
  /** Follows a program at a double of a VTN, which may announce changes at a broker. */
  follow(settings: Settings, broker?: VtnBroker): Promise<Followed>
  /** Follows a program at the VTN that the settings name. */
  followAt(settings: Settings & Pick<GivenOpenadrProgram, 'vtnUrl'>): Promise<FollowedProgram>
}

type VtnBroker = Required<Pick<Parameters<typeof startVtnDouble>[0], 'mqttUrl' | 'publish'>>
type Settings = Partial<GivenOpenadrProgram> & Pick<GivenOpenadrProgram, 'mapping'>

export async function startOpenadrStack(): Promise<OpenadrStack> {
  const cleanup = new AsyncDisposableStack()
  const stack = cleanup.use(await startStack({ cloud: REACH }))
  const startWorker = async () => {
    const settings = { PLANTROOM_DATA: stack.folder, PLANTROOM_PUBLIC_URL: stack.cloud.ready.baseUrl, ...REACH }
    const part = await startPart<object>('cloud', () => settings, programOf('cloud', 'worker'))
    return Object.defineProperties(part, {
      [Symbol.asyncDispose]: { value: async () => void (await part.stop()) },
    }) as Part<object> & AsyncDisposable
  }
  try {
    const worker = cleanup.use(await startWorker())
    const openadr = {
      worker,
      startWorker,
      follow: (...about: Parameters<OpenadrStack['follow']>) => follow(stack, ...about),
      followAt: (settings: Parameters<OpenadrStack['followAt']>[0]) => followAt(stack, settings),
    }
    return { ...stack, ...openadr, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
  } catch (error) {
    await cleanup.disposeAsync()
    throw error
  }
}

async function followAt(
  { admin, orgId }: Stack,
  settings: Parameters<OpenadrStack['followAt']>[0],
): Promise<FollowedProgram> {
  const { id: programId } = await admin.addOpenadrProgram({
    orgId,
    body: {
      ...{ name: 'Utility', version: '3.1', profile: 'alliance-3.1', pollSeconds: 10 },
      ...{ clientId: 'ven-client', clientSecret: 'ven-secret', venName: 'building-7', programNames: ['Flexibility'] },
      ...{ ownProfile: null, tokenUrl: null, scope: null, audience: null, active: true },
      ...settings,
    },
  })
  return {
    programId,
    shownEvents: async () => (await admin.listOpenadrEvents({ orgId, query: { programId } })).events,
    [Symbol.asyncDispose]: () => admin.removeOpenadrProgram({ orgId, programId }).then(() => {}),
  }
}

async function follow(stack: Stack, settings: Settings, broker?: VtnBroker): Promise<Followed> {
  const vtn = await startVtnDouble({ version: settings.version ?? '3.1', ...broker })
  const { id: vtnProgramId } = vtn.addProgram({ programName: 'Flexibility' })
  const program = await followAt(stack, { vtnUrl: vtn.baseUrl, ...settings })
  const fieldsOf = ({ payload, values, eachMs, from = Date.now() - 30_000, more }: Intervals) => ({
    ...{ programID: vtnProgramId, eventName: 'Peak' },
    intervalPeriod: { start: new Date(from).toISOString(), duration: `PT${eachMs / 1000}S` },
    intervals: values.map((value, id) => ({
      id,
      payloads: [{ type: payload, values: [value] }],
    })),
    ...more,
  })
  return {
    ...program,
    vtn,
    vtnProgramId,
    addEvent: (about) => vtn.addEvent(fieldsOf(about)).id,
    changeEvent: (id, about) => void vtn.changeEvent(id, fieldsOf(about)),
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]()
      await vtn.close()
    },
  }
}

/** Waits until the service has heard this of a program. */
export function becomes({ admin, orgId }: Stack, { programId }: Followed, state: object): Promise<void> {
  return eventually(async () => {
    const program = await admin.getOpenadrProgram({ orgId, programId })
    expect(program).toMatchObject(state)
  })
}
