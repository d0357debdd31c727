import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Clock } from '@plantroom/base/clock'
import { optionProblem } from '@plantroom/base/option-problem'
import { fileOfFound } from '@plantroom/contract/commissioning'
import type { EquipmentScan } from '@plantroom/contract/discovery'
import { textOfFile } from '@plantroom/contract/text-of-file'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { edeOf, readEde } from '@plantroom/drivers/bacnet/ede'
import { readStateTexts } from '@plantroom/drivers/bacnet/ede-states'
import type { Terminal } from './command.ts'
import { checkFile, type Protocols } from './commissioning-file.ts'
import { fileText, formatScan } from './print-scan.ts'
import { collect } from './scans.ts'

const USAGE = `plantroom edge scan PROTOCOL TARGET [options]    find equipment where you point; writes nothing to it
plantroom edge scan bacnet [HOST] --from-ede FILE --file FILE    make a commissioning file of an EDE file

PROTOCOL  bacnet, sunspec, modbus, modbus-rtu or modbus-rtu-tcp
TARGET    a host, host:port, a serial port, or a network of at most 256 addresses such as 10.0.0.0/24

  --units LIST      the unit ids to ask, for example 1-10,20 (Modbus, SunSpec)
  --set KEY=VALUE   a setting of the connection, for example timeoutMs=300 or network=5; may be repeated
  --file FILE       write a commissioning file, to edit; an existing file is kept
  --ede FILE        write an EDE file (BACnet), and beside it the file of its state texts; existing files are kept
  --from-ede FILE   read an EDE file instead of asking equipment (BACnet)
  --state-texts FILE  the names of states for --from-ede; by default the file NAME_StateTexts.csv beside NAME_EDE.csv
  --name NAME       the name of the technical system in the file
  --json            print what was found as JSON

Nothing is written to equipment, and neither the cloud nor a running device is needed.
Exit 0: something was found; 1: nothing, or it failed; 2: wrong usage.`

const FLAGS = {
  help: { type: 'boolean', short: 'h' },
  units: { type: 'string' },
  set: { type: 'string', multiple: true },
  file: { type: 'string' },
  ede: { type: 'string' },
  'from-ede': { type: 'string' },
  'state-texts': { type: 'string' },
  name: { type: 'string' },
  json: { type: 'boolean' },
} as const

interface Deps {
  protocols: Protocols
  clock: Clock
  terminal: Terminal
}

class WrongUsage extends Error {}

/** Runs `plantroom edge scan` and returns the exit code. */
export async function runScan(args: readonly string[], deps: Deps): Promise<number> {
  const { out, err } = deps.terminal
  try {
    const problem = optionProblem(args, FLAGS)
    if (problem !== undefined) throw new WrongUsage(problem)
    const { values, positionals } = parseArgs({ args: [...args], options: FLAGS, allowPositionals: true })
    if (values.help) {
      out(`${USAGE}\n`)
      return 0
    }
    const [given = '', target, extra] = positionals
    if (extra !== undefined) throw new WrongUsage(`unexpected argument ${extra}`)
    const protocol = protocolOf(given, target, deps.protocols)
    if (values['from-ede'] === undefined && target === undefined) throw new WrongUsage('TARGET is missing')
    if (protocol !== 'bacnet-ip' && (values.ede ?? values['from-ede']) !== undefined) {
      throw new WrongUsage('EDE files are about BACnet')
    }
    if (values['state-texts'] !== undefined && values['from-ede'] === undefined) {
      throw new WrongUsage('--state-texts belongs to an EDE file: name that with --from-ede')
    }
    const scan =
      values['from-ede'] === undefined
        ? await scanEquipment(protocol, settingsOf(target ?? '', values), deps)
        : await readEdeFile(values['from-ede'], values['state-texts'], target)
    const name = values.name ?? scan.connections[0]?.name ?? 'Found equipment'
    if (scan.connections.length > 0) await writeFiles(scan, { ...values, name }, deps)
    out(`${values.json ? JSON.stringify(scan) : formatScan(scan)}\n`)
    return scan.connections.length > 0 ? 0 : 1
  } catch (error) {
    const isUsage = error instanceof WrongUsage
    err(`plantroom edge scan: ${(error as Error).message}${isUsage ? '; see plantroom edge scan --help' : ''}\n`)
    return isUsage ? 2 : 1
  }
}

const SHORT: Readonly<Record<string, string>> = { bacnet: 'bacnet-ip', modbus: 'modbus-tcp' }

function protocolOf(given: string, target: string | undefined, protocols: Protocols): keyof Protocols {
  const name = given === 'modbus' && target?.startsWith('/') ? 'modbus-rtu' : (SHORT[given] ?? given)
  const known = Object.entries(protocols).filter(([, protocol]) => protocol.discover)
  if (known.some(([each]) => each === name)) return name as keyof Protocols
  throw new WrongUsage(`${given || 'PROTOCOL'} must be one of: ${known.map(([each]) => each).join(', ')}`)
}

function settingsOf(target: string, { units, set = [] }: { units?: string; set?: string[] }): Record<string, unknown> {
  const [, host = target, port] = /^([^:]+):(\d{1,5})$/.exec(target) ?? []
  const where = target.startsWith('/') ? { path: target } : { host, ...(port !== undefined && { port: Number(port) }) }
  const given = set.map((each) => {
    const [key = '', ...rest] = each.split('=')
    if (key === '' || rest.length === 0) throw new WrongUsage(`--set ${each} must be KEY=VALUE`)
    return [key, settingValue(rest.join('='))] as const
  })
  return { ...where, ...(units !== undefined && { unitIds: units }), ...Object.fromEntries(given) }
}

function settingValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function scanEquipment(
  protocol: keyof Protocols,
  settings: Record<string, unknown>,
  { protocols, terminal: { progress } }: Deps,
): Promise<EquipmentScan> {
  let scan = NOTHING
  const { signal } = new AbortController()
  const found = protocols[protocol].discover?.(settings, { signal }) ?? []
  await collect(found as AsyncIterable<never>, signal, (change) => {
    scan = change(scan)
    progress?.(`scanning: ${scan.done} of ${scan.of}, found ${scan.connections.length}`)
  })
  progress?.('')
  return { ...scan, state: 'done' }
}

const NOTHING: EquipmentScan = {
  ...{ id: '', state: 'running', done: 0, of: 0, connections: [], warnings: [], error: null },
}

const MAX_EDE_BYTES = 16 * 1024 * 1024
/** EDE files do not say where devices are. */
const UNKNOWN_HOST = 'ADDRESS-OF-THE-DEVICE'

async function readEdeFile(path: string, statesPath: string | undefined, host = UNKNOWN_HOST): Promise<EquipmentScan> {
  const text = await readText(path)
  const beside = statesBeside(path)
  const isBeside = statesPath === undefined && existsSync(beside)
  const usedPath = isBeside ? beside : statesPath
  const texts = usedPath === undefined ? undefined : inFile(usedPath, readStateTexts, await readText(usedPath))
  const { connections, warnings } = inFile(path, (ede) => readEde(ede, host, texts?.stateTexts), text)
  const more = host === UNKNOWN_HOST ? [`replace ${UNKNOWN_HOST} by the address of each device`] : []
  return { ...NOTHING, state: 'done', connections, warnings: [...(texts?.warnings ?? []), ...warnings, ...more] }
}

/** The name that the state texts of an EDE file have: `Room_EDE.csv` and `Room_StateTexts.csv`. */
const statesBeside = (path: string) => path.replace(/(?:_EDE)?(\.[^./]*)?$/i, '_StateTexts$1')

function inFile<Result>(path: string, parse: (text: string) => Result, text: string): Result {
  try {
    return parse(text)
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`)
  }
}

async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read (${error.code})`)
  })
  if (bytes.length > MAX_EDE_BYTES) throw new Error(`${path} is larger than 16 MB: split it by devices`)
  return textOfFile(bytes)
}

async function writeFiles(
  scan: EquipmentScan,
  { name, file, ede }: { name: string; file?: string; ede?: string },
  { protocols, clock, terminal: { err } }: Deps,
): Promise<void> {
  if (file !== undefined) {
    const content = fileOfFound(name, scan.connections)
    await writeNew(file, fileText(content, scan))
    const checked = checkFile(content, protocols)
    for (const { path, message } of 'problems' in checked ? checked.problems : []) err(`${file}: ${path}: ${message}\n`)
  }
  if (ede === undefined) return
  const written = edeOf(scan.connections, { project: name, at: formatTimestamp(clock.now()) })
  await writeNew(ede, written.ede)
  if (written.stateTexts !== undefined) await writeNew(statesBeside(ede), written.stateTexts)
}

async function writeNew(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === 'EEXIST'
        ? `${path} exists: choose another name, or remove it`
        : `${path} cannot be written (${error.code})`,
    )
  })
}
