import { SITE_FLAGS, type SiteClient, siteClient } from '../../clients.ts'
import { parse, positionals } from '../../command.ts'
import { print, printable } from '../../output.ts'
import { describeResult, printResult } from './job-result.ts'
import { LIST_FLAGS, requireListNames } from './lists.ts'
import { counted } from './report.ts'
import { openSession, uploadName } from './session.ts'

const IMPORT_FLAGS = { ...SITE_FLAGS, ...LIST_FLAGS, uploaded: { type: 'boolean' } } as const

/** Runs `plantroom package upload`. */
export async function upload(args: readonly string[]): Promise<void> {
  const { values: flags, positionals: given } = parse(args, SITE_FLAGS)
  const { FILE } = positionals(given, 'FILE')
  const filename = uploadName(FILE)
  using session = openSession(await siteClient(flags))
  const bytes = await session.upload(FILE)
  print(flags.json, { filename, bytes }, () => `${printable(filename)}: uploaded, ${counted(bytes, 'byte')}`)
}

/** Runs `plantroom package preview`. */
export async function preview(args: readonly string[]): Promise<void> {
  const { flags, filename, target, session } = await begin(args)
  using _session = session
  const job = await session.follow(filename, await startPreview(target, filename))
  await printResult(target, filename, job, flags)
}

/** Runs `plantroom package import`. Prints the preview before anything is imported. */
export async function importPackage(args: readonly string[]): Promise<void> {
  const { flags, filename, target, session } = await begin(args)
  using _session = session
  const previewed = await session.follow(filename, await startPreview(target, filename))
  if (previewed.status === 'ERROR') return printResult(target, filename, previewed, flags)
  if (!flags.json) console.log(describeResult(filename, previewed))
  const job = await session.follow(filename, await startImport(target, filename))
  await printResult(target, filename, job, flags)
}

async function startPreview({ client, site }: SiteClient, filename: string): Promise<string> {
  return (await client.startPreview({ ...site, body: { filename } })).jobId
}

async function startImport({ client, site }: SiteClient, filename: string): Promise<string> {
  return (await client.startImport({ ...site, body: { filename } })).jobId
}

/** Parses the command line and uploads the package, unless it is already uploaded. */
async function begin(args: readonly string[]) {
  const { values: flags, positionals: given } = parse(args, IMPORT_FLAGS)
  const { FILE } = positionals(given, 'FILE')
  requireListNames(flags)
  const filename = flags.uploaded ? FILE : uploadName(FILE)
  const target = await siteClient(flags)
  const session = openSession(target)
  try {
    if (!flags.uploaded) await session.upload(FILE)
    return { flags, filename, target, session }
  } catch (error) {
    session[Symbol.dispose]()
    throw error
  }
}
