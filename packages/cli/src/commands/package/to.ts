import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, resolve, sep } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { EXPORT_TARGETS, type ExportTargetName } from '@plantroom/contract/conversion'
import type { ExportProgress, ExportResult } from '@plantroom/convert/targets'
import { COMMON_FLAGS, flag, type parse, required, UsageError, valued } from '../../command.ts'
import { verb } from '../../declare.ts'
import { print } from '../../output.ts'
import { createProgressBar } from '../../progress-bar.ts'
import { abortedBySignal } from './aborted-by-signal.ts'
import { describeConversion } from './describe-conversion.ts'

const FILE = { completes: 'file' } as const
const SEPARATORS = [',', ';'] as const
const FLAGS = {
  json: COMMON_FLAGS.json,
  output: valued('FOLDER', 'a new folder for the files', { short: 'o', ...FILE }),
  force: flag('replace a folder and a list that an earlier run wrote'),
  unplaced: valued('FILE', 'list values without a place, and where they went: place,column,value,became', FILE),
  separator: valued('CHARACTER', 'between the cells of a table: , or ; where spreadsheets expect it', {
    choices: SEPARATORS,
  }),
  bom: flag('begin tables with a byte-order mark, for older spreadsheets'),
  'files-url': valued('URL', 'jira: where Jira finds the folder; default its own import folder'),
} as const

type Flags = ReturnType<typeof parse<typeof FLAGS>>['values']

const STAGES: Record<ExportProgress['stage'], string> = {
  check: 'checking the package',
  requests: 'writing the requests',
  files: 'writing the attachments',
}

export const to = verb({
  about: 'convert a package into files for another system',
  arguments: [
    { name: 'SYSTEM', choices: EXPORT_TARGETS },
    { name: 'FILE', completes: 'file' },
  ],
  synopsis: '-o FOLDER',
  options: FLAGS,
  json: '{folder, files, tickets, comments, attachments, unplaced: [{column, values, became}]}',
  run: (flags, { SYSTEM, FILE: input }) => convert(targetOf(SYSTEM), input, flags),
})

async function convert(name: ExportTargetName, input: string, flags: Flags): Promise<void> {
  const output = required(flags.output, '-o FOLDER')
  const table = { ...separatorOf(flags), byteOrderMark: flags.bom === true, ...baseUrlOf(name, flags) }
  refuseOverwriting(input, output, flags)
  if (!existsSync(input)) throw new Error(`${input}: the file does not exist`)
  using stopped = abortedBySignal()
  const { exportPackage, TARGETS } = await import('@plantroom/convert/targets')
  const bar = createProgressBar({ stream: process.stderr, clock: systemClock })
  let result: ExportResult
  try {
    result = await exportPackage({
      ...{ target: TARGETS[name], input, output, isReplaced: flags.force, unplacedCsv: flags.unplaced, table },
      signal: stopped.signal,
      onProgress: ({ stage, done, total }) => bar.show(STAGES[stage], done, total),
    })
  } finally {
    bar.clear()
  }
  print(flags.json, { folder: output, ...result }, () => describeConversion(output, result, flags.unplaced))
}

function targetOf(system: string): ExportTargetName {
  const known = EXPORT_TARGETS.find((name) => name === system)
  if (!known) throw new UsageError(`unknown system ${system}; use ${EXPORT_TARGETS.join(', ')}`)
  return known
}

function separatorOf({ separator }: Flags): { separator?: ',' | ';' } {
  if (separator === undefined) return {}
  const known = SEPARATORS.find((each) => each === separator)
  if (!known) throw new UsageError(`--separator ${separator} must be , or ;`)
  return { separator: known }
}

function baseUrlOf(name: ExportTargetName, { 'files-url': url }: Flags): { baseUrl?: string } {
  if (url === undefined) return {}
  if (name !== 'jira') throw new UsageError('--files-url is for jira only')
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new UsageError(`--files-url ${url} is not an address; use one such as https://files.example.com/export/`)
  }
  return { baseUrl: url.endsWith('/') ? url : `${url}/` }
}

/** Replacing the folder must not remove the package or the list. */
function refuseOverwriting(input: string, output: string, { unplaced, force }: Flags): void {
  if (output === '') throw new UsageError('-o needs the name of a folder')
  if (isWithin(input, output)) throw new UsageError(`-o ${output} would overwrite the package`)
  if (unplaced === undefined) return
  if (unplaced === '') throw new UsageError('--unplaced needs a file name')
  if (real(unplaced) === real(input)) throw new UsageError(`--unplaced ${unplaced} would overwrite the package`)
  if (isWithin(unplaced, output))
    throw new UsageError(`--unplaced ${unplaced} is in the folder of -o; put it elsewhere`)
  if (existsSync(unplaced) && !force) {
    throw new Error(`${unplaced} exists; name a new file, or use --force to replace it`)
  }
}

function isWithin(path: string, folder: string): boolean {
  return `${real(path)}${sep}`.startsWith(`${real(folder)}${sep}`)
}

/** Resolves links as far as the path exists. */
function real(path: string): string {
  const whole = resolve(path)
  if (existsSync(whole)) return realpathSync(whole)
  return dirname(whole) === whole ? whole : resolve(real(dirname(whole)), basename(whole))
}
