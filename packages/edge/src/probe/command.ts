import { parseArgs } from 'node:util'
import type { Clock } from '@plantroom/base/clock'
import { readDocument } from '@plantroom/base/document'
import { optionProblem } from '@plantroom/base/option-problem'
import { checkFile, type Protocols } from './commissioning-file.ts'
import { allReadable, formatFindings } from './print.ts'
import { probe } from './probe.ts'

const USAGE = `plantroom edge probe FILE [--json]    test a commissioning file (JSON or YAML) against the equipment

Opens each connection and reads each datapoint once. It writes nothing and needs neither the cloud nor a running device.
Exit 0: everything can be read; 1: something cannot, or the file has errors; 2: wrong usage.`

/** The output of the command. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Replaces the progress line; `undefined` when the output is not a terminal. */
  progress: ((text: string) => void) | undefined
}

interface Deps {
  protocols: Protocols
  clock: Clock
  terminal: Terminal
}

/** Runs `plantroom edge probe` and returns the exit code. */
export async function runProbe(args: readonly string[], deps: Deps): Promise<number> {
  const { out, err } = deps.terminal
  const given = parse(args)
  if ('error' in given) {
    err(`plantroom edge probe: ${given.error}; see plantroom edge probe --help\n`)
    return 2
  }
  if (given.help) {
    out(`${USAGE}\n`)
    return 0
  }
  try {
    return await probeFile(given.path, given.json, deps)
  } catch (error) {
    err(`plantroom edge probe: ${(error as Error).message}\n`)
    return 1
  }
}

type Given = { help: boolean; path: string; json: boolean } | { error: string }

function parse(args: readonly string[]): Given {
  const flags = { help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } } as const
  const problem = optionProblem(args, flags)
  if (problem !== undefined) return { error: problem }
  const { values, positionals } = parseArgs({ args: [...args], options: flags, allowPositionals: true })
  const { help = false, json = false } = values
  const [path = '', extra] = positionals
  if (path === '' && !help) return { error: 'FILE is missing' }
  return extra === undefined ? { help, path, json } : { error: `unexpected argument ${extra}` }
}

async function probeFile(path: string, json: boolean, { protocols, clock, terminal }: Deps): Promise<number> {
  const { out, progress } = terminal
  const document = await readDocument(path, 'commissioning file', 'technicalSystem and connections')
  const checked = checkFile(document, protocols)
  if ('problems' in checked) {
    const { problems } = checked
    if (!json) throw new Error(problems.map(({ path, message }) => `${path}: ${message}`).join('; '))
    out(`${JSON.stringify({ readable: false, problems, connections: [] })}\n`)
    return 1
  }

  const { file } = checked
  const total = file.connections.length
  let finished = 0
  const showProgress = () => progress?.(finished === total ? '' : `probing: ${finished} of ${total} connections`)
  showProgress()
  const connections = await probe(file, {
    protocols,
    clock,
    done() {
      finished += 1
      showProgress()
    },
  })
  const readable = allReadable(connections)
  const { technicalSystem } = file
  const result = { technicalSystem, readable, problems: [], connections }
  out(`${json ? JSON.stringify(result) : formatFindings(technicalSystem, connections)}\n`)
  return readable ? 0 : 1
}
