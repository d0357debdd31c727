import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { without } from './programs.ts'

type Files = ReadonlyMap<string, Buffer>

/** Checks that yauzl and Python's zipfile read the same paths and bytes as we do. */
export async function expectOthersToAgree(archive: Buffer, files: Files, python?: PythonZipfile): Promise<void> {
  const digests = digestsOf(files)
  expect(digestsOf(await readWithYauzl(archive))).toEqual(digests)
  const pythons = await python?.read(archive)
  if (pythons) expect('files' in pythons ? Object.fromEntries([...pythons.files].sort()) : pythons).toEqual(digests)
}

function digestsOf(files: Files): Record<string, string> {
  const digests = [...files].map(
    ([path, content]) => [path, createHash('sha256').update(content).digest('hex')] as const,
  )
  return Object.fromEntries(digests.sort())
}

/** Returns the files of an archive by path, as yauzl reads them. Decodes names as UTF-8 with or without the flag. */
async function readWithYauzl(archive: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await fromBufferPromise(withoutPadding(archive), { decodeStrings: false })
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileNameRaw.toString('utf8')
    if (!path.endsWith('/')) files.set(path, await buffer(await zip.openReadStreamPromise(entry)))
  }
  return files
}

/** Removes the zeros that `bsdtar` adds in a pipe. We and Python ignore them; yauzl refuses them. */
function withoutPadding(archive: Buffer): Buffer {
  const record = archive.lastIndexOf('PK\x05\x06')
  if (record < 0 || record + 22 > archive.length) return archive
  const end = record + 22 + archive.readUInt16LE(record + 20)
  return archive.subarray(end).every((byte) => byte === 0) ? archive.subarray(0, end) : archive
}

/** Python's reading of an archive: the checksum of each file's content by path, or an error. */
export type PythonReading = { readonly files: ReadonlyMap<string, string> } | { readonly error: string }

export interface PythonZipfile {
  read(archive: Uint8Array): Promise<PythonReading>
  end(): Promise<void>
}

export const withoutPython = without('python3')

// Python decodes a name without the UTF-8 flag with an old code page; this restores the bytes to compare.
const PROGRAM = `
import hashlib, io, json, struct, sys, zipfile
while True:
    head = sys.stdin.buffer.read(4)
    if len(head) < 4: break
    data = sys.stdin.buffer.read(struct.unpack('<I', head)[0])
    try:
        files = []
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                name = info.orig_filename
                if not info.flag_bits & 0x800: name = name.encode('cp437').decode('utf-8')
                if name.endswith('/'): continue
                files.append([name, hashlib.sha256(archive.read(info)).hexdigest()])
        answer = {'files': files}
    except Exception as error:
        answer = {'error': type(error).__name__ + ': ' + str(error)}
    print(json.dumps(answer), flush=True)
`

/** Uses one process for all archives: starting one for each would take longer than the reading. */
export function startPythonZipfile(): PythonZipfile {
  const child: ChildProcess = spawn('python3', ['-c', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] })
  const { stdin, stdout } = child
  if (!stdin || !stdout) throw new Error('no pipes')
  const exit = once(child, 'exit')
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]()

  return {
    async read(archive) {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(archive.length)
      stdin.write(length)
      stdin.write(archive)
      const line = await answers.next()
      if (line.done) throw new Error('python3 ended')
      const answer: { files: [string, string][] } | { error: string } = JSON.parse(line.value)
      return 'files' in answer ? { files: new Map(answer.files) } : answer
    },
    async end() {
      stdin.end()
      await exit
    },
  }
}
