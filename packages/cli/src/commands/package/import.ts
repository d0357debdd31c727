import { SITE_FLAGS, siteClient } from '../../clients.ts'
import { parse, positionals } from '../../command.ts'
import { print, printable } from '../../output.ts'
import { CHOICE_FLAGS, optionsOf, readChoiceFlags } from './choices.ts'
import { describeResult, printResult } from './job-result.ts'
import { LIST_FLAGS, requireListNames } from './lists.ts'
import { counted } from './report.ts'
import { openSession, uploadName } from './session.ts'

const IMPORT_FLAGS = {
  ...SITE_FLAGS,
  ...LIST_FLAGS,
  ...CHOICE_FLAGS,
  uploaded: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const

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
  const { flags, target, session, body } = await begin(args)
  using _session = session
  const { jobId } = await target.client.startPreview({ ...target.site, body })
  await printResult(target, body.filename, await session.follow(body.filename, jobId), flags)
}

/** Runs `plantroom package import`. Prints the preview before anything is imported. */
export async function importPackage(args: readonly string[]): Promise<void> {
  const begun = await begin(args)
  const { client, site } = begun.target
  const { body } = begun
  await previewThenRun(begun, {
    preview: () => client.startPreview({ ...site, body }),
    ...(!begun.flags['dry-run'] && { run: () => client.startImport({ ...site, body }) }),
  })
}

/** Runs `plantroom package fill`. Prints the preview before anything is filled. */
export async function fill(args: readonly string[]): Promise<void> {
  const begun = await begin(args)
  const { client, site } = begun.target
  const { body } = begun
  await previewThenRun(begun, {
    preview: () => client.startFillPreview({ ...site, body }),
    ...(!begun.flags['dry-run'] && { run: () => client.startFill({ ...site, body }) }),
  })
}

interface Started {
  jobId: string
}

async function previewThenRun(
  { flags, target, session, body: { filename } }: Awaited<ReturnType<typeof begin>>,
  { preview, run }: { preview(): Promise<Started>; run?(): Promise<Started> },
): Promise<void> {
  using _session = session
  const previewed = await session.follow(filename, (await preview()).jobId)
  if (previewed.status === 'ERROR' || !run) return printResult(target, filename, previewed, flags)
  if (!flags.json) console.log(describeResult(filename, previewed))
  await printResult(target, filename, await session.follow(filename, (await run()).jobId), flags)
}

/** Parses the command line and uploads the package, unless it is already uploaded. */
async function begin(args: readonly string[]) {
  const { values: flags, positionals: given } = parse(args, IMPORT_FLAGS)
  const { FILE } = positionals(given, 'FILE')
  requireListNames(flags)
  const choices = await readChoiceFlags(flags)
  const filename = flags.uploaded ? FILE : uploadName(FILE)
  const target = await siteClient(flags)
  const session = openSession(target)
  try {
    const options = await optionsOf(target, choices)
    if (!flags.uploaded) await session.upload(FILE)
    return { flags, target, session, body: { filename, ...(options && { options }) } }
  } catch (error) {
    session[Symbol.dispose]()
    throw error
  }
}
