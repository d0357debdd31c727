import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { packageBytes } from '../write-package.ts'
import { run, without } from './programs.ts'
import { SMALL_SITE } from './small-site.ts'

/** A program, with options, that creates archives. */
export interface Archiver {
  readonly name: string
  /** True if the program is not installed. */
  readonly missing?: boolean
  /** Creates an archive of the site in `folder`, which is new for each archiver, and returns its bytes. */
  archive(folder: string): Buffer | Promise<Buffer>
}

const toFile = (program: string, name: string, commands: readonly string[][], env: Record<string, string> = {}) => ({
  name: `${program}: ${name}`,
  missing: without(program),
  archive(folder: string) {
    for (const args of commands) run(folder, [program, ...args], { env })
    return readFileSync(join(folder, 'site.fpl'))
  },
})

const toPipe = (program: string, name: string, args: readonly string[], input?: string) => ({
  name: `${program}: ${name}`,
  missing: without(program),
  archive: (folder: string) =>
    run(folder, [program, ...args], input === undefined ? {} : { input: Buffer.from(input) }),
})

const everything = ['manifest.json', 'attachments']

const infoZip: readonly Archiver[] = [
  toFile('zip', 'to a file', [['-r', 'site.fpl', ...everything]]),
  toFile('zip', 'without folders', [['-rD', 'site.fpl', ...everything]]),
  toFile('zip', 'stored', [['-r0', 'site.fpl', ...everything]]),
  toFile('zip', 'without extra fields', [['-rX', 'site.fpl', ...everything]]),
  toFile('zip', 'zip64 forced', [['-r', '-fz', 'site.fpl', ...everything]]),
  toFile('zip', 'with descriptors forced', [['-r', '-fd', 'site.fpl', ...everything]]),
  toFile('zip', 'with the UTF-8 flag', [['-r', '-UN=UTF8', 'site.fpl', ...everything]]),
  toFile('zip', 'in a machine without UTF-8', [['-r', 'site.fpl', ...everything]], { LC_ALL: 'C' }),
  toFile('zip', 'added to later, and one file replaced', [
    ['-r', 'site.fpl', 'attachments'],
    ['site.fpl', 'manifest.json'],
    ['site.fpl', 'attachments/log.txt'],
  ]),
  toPipe('zip', 'to a pipe', ['-r', '-', ...everything]),
  toPipe('zip', 'to a pipe, stored', ['-r0', '-', ...everything]),
  toPipe('zip', 'to a pipe, without zip64', ['-r', '-fz-', '-', ...everything]),
  {
    name: 'zip: with comments',
    missing: without('zip'),
    archive(folder) {
      run(folder, ['zip', '-r', 'site.fpl', ...everything])
      run(folder, ['zip', '-z', 'site.fpl'], { input: Buffer.from('Export of õppehoone\nfor the archive\n') })
      return readFileSync(join(folder, 'site.fpl'))
    },
  },
]

const sevenZip: readonly Archiver[] = [
  toFile('7z', 'to a file', [['a', '-tzip', 'site.fpl', ...everything]]),
  toFile('7z', 'stored', [['a', '-tzip', '-mx=0', 'site.fpl', ...everything]]),
  toFile('7z', 'ultra', [['a', '-tzip', '-mx=9', 'site.fpl', ...everything]]),
  toFile('7z', 'names in UTF-8', [['a', '-tzip', '-mcu=on', 'site.fpl', ...everything]]),
  toFile('7z', 'with the times of NTFS', [['a', '-tzip', '-mtc=on', 'site.fpl', ...everything]]),
]

const bsdtar: readonly Archiver[] = [
  toFile('bsdtar', 'to a file', [['-c', '--format', 'zip', '-f', 'site.fpl', ...everything]]),
  toFile('bsdtar', 'stored', [
    ['-c', '--format', 'zip', '--options', 'zip:compression=store', '-f', 'site.fpl', ...everything],
  ]),
  toFile('bsdtar', 'zip64 forced', [
    ['-c', '--format', 'zip', '--options', 'zip:zip64', '-f', 'site.fpl', ...everything],
  ]),
  {
    name: 'bsdtar: to a pipe, with the zeros that it writes for tapes',
    missing: without('bsdtar'),
    archive: (folder) => run(folder, ['bsdtar', '-c', '--format', 'zip', '-f', '-', ...everything]),
  },
]

const jar: readonly Archiver[] = [
  toFile('jar', 'with its own manifest', [['cf', 'site.fpl', ...everything]]),
  toFile('jar', 'without', [['cfM', 'site.fpl', ...everything]]),
  toFile('jar', 'stored', [['cfM0', 'site.fpl', ...everything]]),
]

const ZIPFILE = `
import os, sys, zipfile
class Pipe:
    def __init__(self, out): self.out = out
    def write(self, data): return self.out.write(data)
    def flush(self): self.out.flush()
paths = ['manifest.json'] + [os.path.join(at, name) for at, _, names in os.walk('attachments') for name in names]
mode, method, zip64 = sys.argv[1], int(sys.argv[2]), sys.argv[3] == 'zip64'
out = Pipe(sys.stdout.buffer) if mode == 'pipe' else 'site.fpl'
with zipfile.ZipFile(out, 'w', method) as archive:
    if mode == 'folders': archive.mkdir('attachments')
    for path in paths:
        with open(path, 'rb') as file:
            with archive.open(zipfile.ZipInfo.from_file(path), 'w', force_zip64=zip64) as entry: entry.write(file.read())
    if mode == 'comment': archive.comment = b'made by a script'
`
const python: readonly Archiver[] = [
  toFile('python3', 'deflated', [['-c', ZIPFILE, 'file', '8', '']]),
  toFile('python3', 'stored', [['-c', ZIPFILE, 'file', '0', '']]),
  toFile('python3', 'with folders', [['-c', ZIPFILE, 'folders', '8', '']]),
  toFile('python3', 'with a comment', [['-c', ZIPFILE, 'comment', '8', '']]),
  toFile('python3', 'zip64 forced', [['-c', ZIPFILE, 'file', '8', 'zip64']]),
  toPipe('python3', 'to a pipe', ['-c', ZIPFILE, 'pipe', '8', '']),
  toPipe('python3', 'to a pipe, stored', ['-c', ZIPFILE, 'pipe', '0', '']),
  toPipe('python3', 'to a pipe, zip64 forced', ['-c', ZIPFILE, 'pipe', '8', 'zip64']),
  toFile('python3', 'by command', [['-m', 'zipfile', '-c', 'site.fpl', ...everything]]),
]

const withYazl = (
  name: string,
  add: (zip: ZipFile, folder: string, path: string) => void,
  forceZip64Format = false,
) => ({
  name: `yazl: ${name}`,
  archive(folder: string) {
    const zip = new ZipFile()
    for (const path of SMALL_SITE.keys()) add(zip, folder, path)
    zip.end({ forceZip64Format, comment: '' })
    return buffer(zip.outputStream)
  },
})
const contentOf = (path: string) => SMALL_SITE.get(path) ?? Buffer.alloc(0)

const yazl: readonly Archiver[] = [
  withYazl('buffers', (zip, _folder, path) => zip.addBuffer(contentOf(path), path)),
  withYazl('files', (zip, folder, path) => zip.addFile(join(folder, path), path)),
  withYazl('stored files', (zip, folder, path) => zip.addFile(join(folder, path), path, { compress: false })),
  withYazl('DOS times', (zip, folder, path) => zip.addFile(join(folder, path), path, { forceDosTimestamp: true })),
  withYazl(
    'zip64 forced',
    (zip, folder, path) => zip.addFile(join(folder, path), path, { forceZip64Format: true }),
    true,
  ),
]

const ours: Archiver = {
  name: 'our own writer',
  async archive() {
    const attachments = [...SMALL_SITE].filter(([path]) => path !== 'manifest.json')
    const { tickets } = JSON.parse(String(contentOf('manifest.json')))
    const files = attachments.map(([path, content]) => ({ path, content: [content] }))
    return buffer(packageBytes({ tickets, attachments: files }))
  },
}

/** Every archiver installed on this machine, and the missing ones. */
export const ARCHIVERS: readonly Archiver[] = [...infoZip, ...sevenZip, ...bsdtar, ...jar, ...python, ...yazl, ours]
