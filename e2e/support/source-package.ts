import { linkSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { packageIn } from './package.ts'
import type { PackageSite } from './package-service.ts'

interface SourceFile {
  path: string
}

export interface SourceTicket {
  externalId: string
  title: string
  state: string
  tags: string[]
  attachments: SourceFile[]
  comments: { content: string; attachments: SourceFile[] }[]
}

/** A package whose complete contents the test knows. */
export interface SourcePackage {
  readonly tickets: readonly SourceTicket[]
  readonly files: Readonly<Record<string, string>>
  /** The counts in the output of a complete import. */
  readonly counts: { tickets: number; comments: number; attachments: number; tags: number }
  /** Uploads the package under this name. */
  uploadAs(site: PackageSite, name: string): Promise<string>
}

const TAGS = 7
const FILE_EVERY = 20

/**
 * Creates a package of requests with comments. One in twenty has a file, and a file in a comment that it shares with the next
 * one.
 */
export async function makeSource(folder: string, requests: number, fileBytes = 0): Promise<SourcePackage> {
  const files: Record<string, string> = {}
  const tickets = Array.from({ length: requests }, (_, index): SourceTicket => {
    const hasFile = index % FILE_EVERY === 0
    const path = `attachments/${index % 10}/${index} õ.txt`
    const shared = `attachments/shared ${Math.floor(index / (2 * FILE_EVERY))}.txt`
    if (hasFile) {
      files[path] = `file of request ${index}`.padEnd(fileBytes, `${index} `)
      files[shared] = `file that is named twice, also by request ${index - (index % (2 * FILE_EVERY))}`
    }
    return {
      externalId: `OLD-${index}`,
      title: `Request ${index}`,
      state: 'open',
      tags: [`tag ${index % TAGS}`, `tag of hundred ${Math.floor(index / 100)}`],
      attachments: hasFile ? [{ path }] : [],
      comments: [
        { content: `first of ${index}`, attachments: hasFile ? [{ path: shared }] : [] },
        { content: `second of ${index}`, attachments: [] },
      ],
    }
  })
  const made = await packageIn(folder, `source of ${requests} (${fileBytes}).fpl`, tickets, files)
  const withFile = tickets.filter(({ attachments }) => attachments.length > 0).length
  return {
    tickets,
    files,
    counts: {
      tickets: requests,
      comments: 2 * requests,
      attachments: 2 * withFile,
      tags: new Set(tickets.flatMap(({ tags }) => tags)).size,
    },
    async uploadAs(site, name) {
      const own = mkdtempSync(join(folder, 'upload-'))
      linkSync(made, join(own, name))
      await site.upload(join(own, name))
      return name
    },
  }
}
