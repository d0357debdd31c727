import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { checkPackage, type PackageReport } from './check-package.ts'
import { entryContent } from './content/entry-content.ts'
import { type OpenPackage, openPackage, readManifest } from './read-package.ts'
import type { FileToWrite } from './write/archive-bytes.ts'
import { type PackageContent, writePackage } from './write-package.ts'

/** Requests to add, in the form of the manifest, and the files that their attachments name. */
export interface Additions {
  readonly tickets: readonly object[]
  readonly files?: readonly FileToWrite[]
}

/**
 * Adds requests to the end of a package. Checks the result and puts it in place only if it is valid; otherwise the package
 * stays as it was. Returns the report of the check. Throws if the package cannot be read or another process is adding to
 * it. Files outside `attachments/` are not kept: no reader looks at them.
 */
export async function addRequests(path: string, additions: Additions): Promise<PackageReport> {
  const lock = `${path}.lock`
  await takeLock(lock, path)
  const temporary = `${path}.${randomUUID()}.part`
  try {
    using opened = openPackage(path)
    await writePackage(temporary, await extended(opened, additions))
    const report = await checkPackage(temporary)
    if (report.valid) await rename(temporary, path)
    return report
  } finally {
    await rm(temporary, { force: true })
    await rm(lock, { force: true })
  }
}

/** Without a lock, the second of two commands would remove what the first added. */
async function takeLock(lock: string, path: string): Promise<void> {
  try {
    await (await open(lock, 'wx')).close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Error(`${path} is being changed by another command; wait for it, or remove ${lock} if there is none`)
  }
}

async function extended(opened: OpenPackage, { tickets, files = [] }: Additions): Promise<PackageContent> {
  const kept: object[] = []
  const head: Record<string, unknown> = {}
  await readManifest(opened, {
    root() {},
    field(name, value) {
      head[name] = value
    },
    ticket(_index, value) {
      kept.push(value as object)
    },
    ticketsEnd() {},
  })
  const { $schema, exportedAt } = head
  return {
    ...(typeof $schema === 'string' && { schema: $schema }),
    ...(typeof exportedAt === 'string' && { exportedAt }),
    tickets: [...kept, ...tickets],
    attachments: [...filesOf(opened), ...files],
  }
}

function filesOf({ archive, source }: OpenPackage): FileToWrite[] {
  return archive.files
    .filter(({ path }) => path.startsWith('attachments/'))
    .map((entry) => ({
      path: entry.path,
      content: { [Symbol.asyncIterator]: () => entryContent(source, entry) },
    }))
}
