import { createReadStream, statSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { PackageReport } from '@plantroom/fpl/check-package'
import { parse, positionals, ReportedFailure, UsageError } from '../../command.ts'
import { print, printable } from '../../output.ts'
import { type AddedRequests, type FileToAdd, placeFiles, requestsFromJson } from './added-requests.ts'
import { counted, describeReport } from './report.ts'
import { FIELD_FLAGS, requestFromFlags } from './request-flags.ts'

/** Runs `plantroom package add`: adds requests to a package, or changes nothing. */
export async function add(args: readonly string[]): Promise<void> {
  const { values: flags, positionals: given } = parse(args, {
    help: { type: 'boolean', short: 'h' },
    json: { type: 'string' },
    ...FIELD_FLAGS,
  })
  const { FILE } = positionals(given, 'FILE')
  const { json, help: _help, ...fields } = flags
  const requests = json === undefined ? [requestFromFlags(fields)] : requestsFromJson(await jsonOf(json, fields))
  const added = placeFiles(requests)
  const { addRequests } = await import('@plantroom/fpl/add-requests')
  const report = await addRequests(FILE, { tickets: added.tickets, files: added.files.map(toWrite) })
  printAdded(FILE, added, report, json !== undefined)
}

async function jsonOf(file: string, fields: Readonly<Record<string, unknown>>): Promise<string> {
  const [field] = Object.keys(fields)
  if (field !== undefined) throw new UsageError(`--json has the whole request; leave out --${field}`)
  try {
    return await text(file === '-' ? process.stdin : createReadStream(file))
  } catch (error) {
    throw new Error(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function toWrite({ file, path }: FileToAdd) {
  const kind = statSync(file, { throwIfNoEntry: false })
  if (!kind?.isFile()) throw new Error(`${file} cannot be attached: ${kind ? 'it is not a file' : 'it does not exist'}`)
  return { path, content: createReadStream(file) }
}

function printAdded(file: string, { ids, tickets }: AddedRequests, report: PackageReport, isJson: boolean): void {
  if (!report.valid) {
    console.error(`plantroom package: nothing was added\n${describeReport(file, report)}`)
    throw new ReportedFailure()
  }
  const { comments, attachments } = report
  print(isJson, { file, added: ids, tickets: report.tickets, comments, attachments }, () => {
    const which = ids.length === 1 ? ` (${printable(ids[0] ?? '')})` : ''
    return `${printable(file)}: ${counted(tickets.length, 'request')} added${which}, ${report.tickets.toLocaleString('en')} in all`
  })
}
