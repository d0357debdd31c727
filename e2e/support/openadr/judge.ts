import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { installed } from './installed.ts'

/** The client of ElaadNL for OpenADR 3.1, and its rules of the programs NL-Flex and GAC. */
const PACKAGES = [
  'openadr3-client==2.4.2',
  'openadr3-client-nlflex-compliance==0.2.0',
  'openadr3-client-gac-compliance==3.2.4',
]
/** The first one that is new enough. */
const PYTHONS = ['python3', 'python3.14', 'python3.13', 'python3.12']
const IS_NEW_ENOUGH = 'import sys; sys.exit(sys.version_info < (3, 12))'

const python = PYTHONS.find((name) => spawnSync(name, ['-c', IS_NEW_ENOUGH]).status === 0) ?? 'python3.12'

/** The Python that has the packages. */
export const JUDGE = installed({
  name: 'openadr3-client-2.4.2',
  program: 'bin/python3',
  commands: (folder) => [
    [python, '-m', 'venv', folder],
    [`${folder}/bin/pip`, 'install', '--quiet', ...PACKAGES],
  ],
})

export interface Question {
  readonly type: 'EVENT' | 'PROGRAM' | 'REPORT' | 'RESOURCE' | 'SUBSCRIPTION' | 'VEN'
  /** As a VTN stores it. */
  readonly object: unknown
  readonly profile?: 'nlflex-1.0' | 'gac-2.2'
  /** Of a delivery: the event that asked for it. */
  readonly event?: unknown
}

/** What the packages say about an object. */
export interface Verdict {
  /** Of a report of NL-Flex, by its content. */
  readonly kind: string | null
  readonly problems: readonly string[]
}

export interface Judge extends AsyncDisposable {
  judge(question: Question): Promise<Verdict>
  /** Lets the client of ElaadNL work at a VTN as a VEN does. Returns what it read, or the problem that stopped it. */
  visit(vtn: Visit): Promise<{ readonly seen?: Readonly<Record<string, unknown>>; readonly problem?: string }>
}

export interface Visit {
  readonly baseUrl: string
  /** When missing: as the VTN says. */
  readonly tokenUrl?: string
  readonly clientId: string
  readonly clientSecret: string
  readonly venName: string
}

export async function startJudge(): Promise<Judge> {
  const child = spawn(JUDGE ?? '', [`${import.meta.dirname}/judge.py`], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // The VTNs of these tests are on this machine, without certificates.
    env: { ...process.env, OAUTHLIB_INSECURE_TRANSPORT: '1' },
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (question: object) => {
    child.stdin.write(`${JSON.stringify(question)}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error('the judge has ended')
    return JSON.parse(value)
  }
  return {
    judge: (question) => ask(question),
    visit: (visit) => ask({ visit }),
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await exited
    },
  }
}
