import { createReadStream, statSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { PackageReport } from '@plantroom/fpl/check-package'
import { ReportedFailure, UsageError, valued } from '../../command.ts'
import { verb } from '../../declare.ts'
import { print, printable } from '../../output.ts'
import { type AddedRequests, type FileToAdd, placeFiles, requestsFromJson } from './added-requests.ts'
import { counted, describeReport } from './report.ts'
import { FIELD_FLAGS, requestFromFlags } from './request-flags.ts'

export const add = verb({
  about: 'add a request to a package, with an option for each field, or requests from JSON; adds all or nothing',
  arguments: [{ name: 'FILE', completes: 'file' }],
  synopsis: '--title T',
  options: {
    json: valued(
      'FILE',
      'add requests in the form of the manifest: one, an array or one per line; - reads standard input. An attachment may have a local file instead of a path. Prints the result as JSON',
      { completes: 'file' },
    ),
    ...FIELD_FLAGS,
  },
  json: '{file, added, tickets, comments, attachments}',
  async run(flags, { FILE }) {
    const { json, ...fields } = flags
    const requests = json === undefined ? [requestFromFlags(fields)] : requestsFromJson(await jsonOf(json, fields))
    const added = placeFiles(requests)
    const { addRequests } = await import('@plantroom/fpl/add-requests')
    const report = await addRequests(FILE, { tickets: added.tickets, files: added.files.map(toWrite) })
    printAdded(FILE, added, report, json !== undefined)
  },
})

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
    if (isJson) throw new Error(`nothing was added: ${describeReport(file, report)}`)
    console.error(`plantroom package: nothing was added\n${describeReport(file, report)}`)
    throw new ReportedFailure()
  }
  const { comments, attachments } = report
  print(isJson, { file, added: ids, tickets: report.tickets, comments, attachments }, () => {
    const which = ids.length === 1 ? ` (${printable(ids[0] ?? '')})` : ''
    return `${printable(file)}: ${counted(tickets.length, 'request')} added${which}, ${report.tickets.toLocaleString('en')} in all`
  })
}
