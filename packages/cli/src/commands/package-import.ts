import { parse, positionals } from '../command.ts'
import { print, printable } from '../output.ts'
import { LIST_FLAGS, openDesk, requireListNames, tell, uploadName } from './package-desk.ts'
import { counted } from './package-report.ts'
import { asManager, SITE_FLAGS } from './package-site.ts'
import { resultOf } from './package-words.ts'

const IMPORT_FLAGS = { ...SITE_FLAGS, ...LIST_FLAGS, uploaded: { type: 'boolean' } } as const

/** `plantroom package upload`. */
export async function upload(args: readonly string[]): Promise<void> {
  const { values: flags, positionals: given } = parse(args, SITE_FLAGS)
  const { FILE } = positionals(given, 'FILE')
  const filename = uploadName(FILE)
  const packages = await asManager(flags)
  using desk = openDesk(packages)
  const bytes = await desk.upload(FILE)
  print(flags.json, { filename, bytes }, () => `${printable(filename)}: uploaded, ${counted(bytes, 'byte')}`)
}

/** `plantroom package preview`. */
export async function preview(args: readonly string[]): Promise<void> {
  const { flags, filename, packages, desk } = await begin(args)
  using _desk = desk
  const job = await desk.follow(filename, await packages.preview(filename))
  await tell(packages, filename, job, flags)
}

/** `plantroom package import`: what the preview says is shown before anything is written. */
export async function importPackage(args: readonly string[]): Promise<void> {
  const { flags, filename, packages, desk } = await begin(args)
  using _desk = desk
  const previewed = await desk.follow(filename, await packages.preview(filename))
  if (previewed.status === 'ERROR') return tell(packages, filename, previewed, flags)
  if (!flags.json) console.log(resultOf(filename, previewed))
  const job = await desk.follow(filename, await packages.import(filename))
  await tell(packages, filename, job, flags)
}

/** The package is in the service when it resolves. */
async function begin(args: readonly string[]) {
  const { values: flags, positionals: given } = parse(args, IMPORT_FLAGS)
  const { FILE } = positionals(given, 'FILE')
  requireListNames(flags)
  const filename = flags.uploaded ? FILE : uploadName(FILE)
  const packages = await asManager(flags)
  const desk = openDesk(packages)
  try {
    if (!flags.uploaded) await desk.upload(FILE)
    return { flags, filename, packages, desk }
  } catch (error) {
    desk[Symbol.dispose]()
    throw error
  }
}
