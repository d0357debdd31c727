import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, lutimesSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../run.ts'

/** What dpkg knows about a package, beside its files. */
export interface Control {
  /** The fields of the control file, in their order. */
  readonly fields: Readonly<Record<string, string>>
  /** Settings that dpkg keeps when the operator changed them, as absolute paths. */
  readonly conffiles: readonly string[]
  /** Scripts that dpkg runs, by their names. */
  readonly scripts: Readonly<Record<string, string>>
}

export type Compression = 'xz' | 'none'

/** Only these get another mode than 0644, or 0755 if they can be run. */
const SECRET_SETTINGS = 0o640

/**
 * Makes a package of the files in `tree`, and returns its name. The bytes depend on the content and `time` alone: modes are
 * set, and all files belong to root.
 */
export async function makeDeb(
  tree: string,
  control: Control,
  { time, compression = 'xz' }: { time: Date; compression?: Compression | undefined },
  out: string,
): Promise<string> {
  const files = readdirSync(tree, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((path) => join(tree, path))
  const regular = files.filter((path) => lstatSync(path).isFile())
  for (const path of files) setMode(path, control.conffiles.includes(path.slice(tree.length)))
  const kilobytes = files.reduce((sum, path) => sum + Math.max(1, Math.ceil(lstatSync(path).size / 1024)), 0)

  const folder = join(tree, 'DEBIAN')
  mkdirSync(folder)
  const write = (name: string, text: string, mode = 0o644) => {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), mode)
  }
  write('control', controlText({ ...control.fields, 'Installed-Size': String(kilobytes) }))
  write('md5sums', regular.map((path) => `${md5(path)}  ${path.slice(tree.length + 1)}\n`).join(''))
  if (control.conffiles.length > 0) write('conffiles', control.conffiles.map((path) => `${path}\n`).join(''))
  for (const [name, text] of Object.entries(control.scripts)) write(name, text, 0o755)

  for (const path of [folder, tree]) chmodSync(path, 0o755)
  for (const path of readdirSync(tree, { recursive: true, encoding: 'utf8' })) lutimesSync(join(tree, path), time, time)
  lutimesSync(tree, time, time)
  const { Package, Version, Architecture } = control.fields
  const name = `${Package}_${Version}_${Architecture}.deb`
  const seconds = Math.floor(time.getTime() / 1000)
  await run(
    [
      'env',
      `SOURCE_DATE_EPOCH=${seconds}`,
      'dpkg-deb',
      '--root-owner-group',
      `-Z${compression}`,
      '--build',
      tree,
      join(out, name),
    ],
    out,
  ).catch((error: Error) => {
    throw new Error(
      `${name} could not be made: ${error.message}; is dpkg-deb installed? --npm-only leaves Debian's packages out`,
    )
  })
  return name
}

/** Long values continue on lines that start with a space. */
function controlText(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value.trim().replaceAll('\n', '\n ')}\n`)
    .join('')
}

function setMode(path: string, isSetting: boolean): void {
  const status = lstatSync(path)
  if (status.isSymbolicLink()) return
  if (isSetting) chmodSync(path, SECRET_SETTINGS)
  else chmodSync(path, status.isDirectory() || (status.mode & 0o100) !== 0 ? 0o755 : 0o644)
}

// The format of the file that dpkg --verify reads.
const md5 = (path: string): string => createHash('md5').update(readFileSync(path)).digest('hex')
