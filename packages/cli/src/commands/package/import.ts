import { packageClient, SITE_FLAGS } from '../../clients.ts'
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
  const packages = await packageClient(flags)
  using session = openSession(packages)
  const bytes = await session.upload(FILE)
  print(flags.json, { filename, bytes }, () => `${printable(filename)}: uploaded, ${counted(bytes, 'byte')}`)
}

/** Runs `plantroom package preview`. */
export async function preview(args: readonly string[]): Promise<void> {
  const { flags, filename, packages, session } = await begin(args)
  using _session = session
  const job = await session.follow(filename, await packages.preview(filename))
  await printResult(packages, filename, job, flags)
}

/** Runs `plantroom package import`. Prints the preview before anything is imported. */
export async function importPackage(args: readonly string[]): Promise<void> {
  const { flags, filename, packages, session } = await begin(args)
  using _session = session
  const previewed = await session.follow(filename, await packages.preview(filename))
  if (previewed.status === 'ERROR') return printResult(packages, filename, previewed, flags)
  if (!flags.json) console.log(describeResult(filename, previewed))
  const job = await session.follow(filename, await packages.import(filename))
  await printResult(packages, filename, job, flags)
}

/** Parses the command line and uploads the package, unless it is already uploaded. */
async function begin(args: readonly string[]) {
  const { values: flags, positionals: given } = parse(args, IMPORT_FLAGS)
  const { FILE } = positionals(given, 'FILE')
  requireListNames(flags)
  const filename = flags.uploaded ? FILE : uploadName(FILE)
  const packages = await packageClient(flags)
  const session = openSession(packages)
  try {
    if (!flags.uploaded) await session.upload(FILE)
    return { flags, filename, packages, session }
  } catch (error) {
    session[Symbol.dispose]()
    throw error
  }
}
