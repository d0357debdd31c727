import { SITE_FLAGS, siteClient } from '../../clients.ts'
import { flag, type parse } from '../../command.ts'
import { verb } from '../../declare.ts'
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
  uploaded: flag('FILE is the name of a package that is already uploaded'),
  'dry-run': flag('show the preview only'),
} as const
type ImportFlags = ReturnType<typeof parse<typeof IMPORT_FLAGS>>['values']
const FILE = [{ name: 'FILE', completes: 'file' }] as const

export const upload = verb({
  about: 'upload a package; replaces one with the same name, and continues an interrupted upload',
  arguments: FILE,
  options: SITE_FLAGS,
  json: '{filename, bytes}',
  async run(flags, { FILE }) {
    const filename = uploadName(FILE)
    using session = openSession(await siteClient(flags))
    const bytes = await session.upload(FILE)
    print(flags.json, { filename, bytes }, () => `${printable(filename)}: uploaded, ${counted(bytes, 'byte')}`)
  },
})

export const preview = verb({
  about: 'upload a package and show what an import would do; changes nothing',
  arguments: FILE,
  options: IMPORT_FLAGS,
  json: 'the job',
  async run(given, { FILE }) {
    const { flags, target, session, body } = await begin(FILE, given)
    using _session = session
    const { jobId } = await target.client.startPreview({ ...target.site, body })
    await printResult(target, body.filename, await session.follow(body.filename, jobId), flags)
  },
})

export const importPackage = verb({
  about: 'upload a package, show the preview, import it and wait for the result; does not import an invalid package',
  arguments: FILE,
  options: IMPORT_FLAGS,
  json: "the job; the preview's if it stops there",
  async run(flags, { FILE }) {
    const begun = await begin(FILE, flags)
    const { client, site } = begun.target
    const { body } = begun
    await previewThenRun(begun, {
      preview: () => client.startPreview({ ...site, body }),
      ...(!flags['dry-run'] && { run: () => client.startImport({ ...site, body }) }),
    })
  },
})

export const fill = verb({
  about: 'preview, then fill fields that an import left empty',
  arguments: FILE,
  options: IMPORT_FLAGS,
  json: "the job; the preview's if it stops there",
  async run(flags, { FILE }) {
    const begun = await begin(FILE, flags)
    const { client, site } = begun.target
    const { body } = begun
    await previewThenRun(begun, {
      preview: () => client.startFillPreview({ ...site, body }),
      ...(!flags['dry-run'] && { run: () => client.startFill({ ...site, body }) }),
    })
  },
})

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

/** Uploads the package, unless it is already uploaded. */
async function begin(FILE: string, flags: ImportFlags) {
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
