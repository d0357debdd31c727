import { parseArgs } from 'node:util'
import { UsageError } from '../start.ts'
import { CAMPAIGNS, type Campaign, MUTATION } from './campaigns.ts'

export interface CampaignArguments {
  readonly help: boolean
  readonly campaigns: readonly Campaign[]
  /** The folder or file to mutate, when the campaign is `mutation`. */
  readonly mutation?: { readonly room: string }
  readonly seed: number
  readonly minutes: number
  readonly from: number
  readonly json: boolean
  readonly near: boolean
  /** How many controllers the fleet has; as many as its test says without it. */
  readonly devices?: number
}

const DEFAULT_MINUTES = 10
const MOST_MINUTES = 30 * 24 * 60
const LARGEST_SEED = 999_999_999
/** More than that needs more ports than one address has. */
const MOST_DEVICES = 28_000
const FLEET = 'fleet'

export const HELP = `Usage: plantroom campaign [NAME [PART]] [--seed N] [--minutes N] [--from N]
       plantroom campaign ${MUTATION} ROOM [--seed N] [--minutes N] [--from N] [--near] [--json]

Repeats the properties of the test suite for as long as you like. Without NAME, runs all campaigns
but ${MUTATION} and divides the minutes among them. The last line is 'N runs, N violations'. Every
violation comes with the command that repeats it. Ctrl-C ends the campaign and prints the commands
that continue it.

${CAMPAIGNS.map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}`).join('\n')}
  ${MUTATION}  small changes to the sources in ROOM (a folder or file such as
            packages/edge/src/writing) that some test should notice; a run is a mutant, and a
            violation is a mutant that no test notices

  --seed N     the seed of everything random (default: a new one, printed first)
  --minutes N  start new runs for this long (default: ${DEFAULT_MINUTES}); runs under way are finished
  --from N     number of the first run (default: 1)
  --devices N  with ${FLEET}: the number of imitated controllers (default: 10000)
  --near       with ${MUTATION}: run only the tests in ROOM, which is faster; tests elsewhere may
               notice a survivor
  --json       with ${MUTATION}: print one line for each mutant: {file, line, column, before, after, outcome, by}
  --help       this text

Exit code: 0 no violations, 1 violations, 2 wrong usage.
`

export function parseCampaignArguments(args: readonly string[], newSeed: () => number): CampaignArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      seed: { type: 'string' },
      minutes: { type: 'string' },
      from: { type: 'string' },
      json: { type: 'boolean', default: false },
      near: { type: 'boolean', default: false },
      devices: { type: 'string' },
    },
  })
  const [name, ...rest] = positionals
  const seed = values.seed === undefined ? newSeed() : wholeNumber('--seed', values.seed, 0, LARGEST_SEED)
  const from = values.from === undefined ? 1 : wholeNumber('--from', values.from, 1, Number.MAX_SAFE_INTEGER)
  const options = {
    help: values.help,
    seed,
    from,
    minutes: minutesOf(values.minutes),
    json: values.json,
    near: values.near,
    ...(values.devices !== undefined && { devices: wholeNumber('--devices', values.devices, 1, MOST_DEVICES) }),
  }
  if (values.help) return { ...options, campaigns: [] }
  if (values.devices !== undefined && name !== FLEET) throw new UsageError(`--devices works with ${FLEET} only`)
  if (name === MUTATION) return { ...options, campaigns: [], mutation: { room: roomOf(rest) } }

  const found = CAMPAIGNS.find((campaign) => campaign.name === name)
  const part = found?.parts && rest.length === 1 ? partOf(found, rest[0] ?? '') : undefined
  if (rest.length > 0 && !part) throw new UsageError(`unexpected argument ${rest[0]}: give one campaign or none`)
  if (values.near) throw new UsageError(`--near works with ${MUTATION} only`)
  if (values.json) throw new UsageError(`--json works with ${MUTATION} only`)
  if (name === undefined) {
    if (values.from !== undefined) throw new UsageError('--from needs the NAME of the campaign that it continues')
    return { ...options, campaigns: CAMPAIGNS }
  }
  if (found) return { ...options, campaigns: [part ?? found] }
  const names = [...CAMPAIGNS.map((campaign) => campaign.name), MUTATION].join(', ')
  throw new UsageError(`there is no campaign ${name}: choose one of ${names}`)
}

/** A part of a campaign, with a name that runs it again. */
function partOf({ parts = {}, ...campaign }: Campaign, part: string): Campaign {
  const files = Object.hasOwn(parts, part) ? parts[part] : undefined
  if (files) return { ...campaign, name: `${campaign.name} ${part}`, files }
  throw new UsageError(`${campaign.name} has no part ${part}: choose one of ${Object.keys(parts).join(', ')}`)
}

function roomOf([room, ...rest]: readonly string[]): string {
  if (room === undefined) throw new UsageError(`${MUTATION} needs a ROOM: a folder such as packages/edge/src/writing`)
  if (rest.length > 0) throw new UsageError(`unexpected argument ${rest[0]}: ${MUTATION} takes one ROOM`)
  return room
}

function wholeNumber(option: string, text: string, low: number, high: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= low && value <= high) return value
  throw new UsageError(`${option} ${text}: give a whole number from ${low} to ${high}`)
}

function minutesOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_MINUTES
  const value = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= MOST_MINUTES) return value
  throw new UsageError(`--minutes ${text}: give a number above 0, at most ${MOST_MINUTES}`)
}
