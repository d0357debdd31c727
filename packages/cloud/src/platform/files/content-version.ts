import { createHash, type Hash, hash } from 'node:crypto'
import { type FileHandle, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { PART_BYTES } from '@plantroom/contract/uploads'
import type { Scratch } from './scratch.ts'

const READ_BYTES = 1024 * 1024
const CONTENT_VERSION = /^sha256-[0-9a-f]{64}-\d+$/

/**
 * The version of a package on disk: the SHA-256 of the SHA-256s of its parts, and its size. Equal bytes have equal
 * versions, however they were sent.
 */
export function contentVersion(partSums: readonly Uint8Array[], size: number): string {
  return `sha256-${hash('sha256', Buffer.concat(partSums))}-${size}`
}

/** True for the version of a content; earlier releases identified the file instead. */
export const isContentVersion = (version: string) => CONTENT_VERSION.test(version)

/** Computes the version of bytes as they arrive, in order. */
export interface ContentSum {
  update(chunk: Uint8Array): void
  version(): string
}

export function createContentSum(): ContentSum {
  const sums: Buffer[] = []
  let part: Hash | undefined
  let inPart = 0
  let size = 0
  const endPart = () => {
    if (part) sums.push(part.digest())
    part = undefined
    inPart = 0
  }
  return {
    update(chunk) {
      size += chunk.length
      for (let from = 0; from < chunk.length; ) {
        const to = Math.min(chunk.length, from + PART_BYTES - inPart)
        part ??= createHash('sha256')
        part.update(chunk.subarray(from, to))
        inPart += to - from
        from = to
        if (inPart === PART_BYTES) endPart()
      }
    },
    version() {
      endPart()
      return contentVersion(sums, size)
    },
  }
}

/** Reads an open file and returns the version of its content. */
export async function versionOfFile(file: FileHandle): Promise<string> {
  const sum = createContentSum()
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, position)
    if (bytesRead === 0) return sum.version()
    sum.update(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
}

/**
 * Keeps the version of a package beside it, so that nobody has to read the package for it. `identity` says which file it
 * was computed from. What is lost or belongs to another file is computed again, so this needs no flush.
 */
export async function keepVersion(
  path: string,
  kept: { identity: string; version: string },
  scratch: Scratch,
): Promise<void> {
  const temporary = scratch.path()
  try {
    await writeFile(temporary, `${kept.identity} ${kept.version}\n`, { mode: 0o600 })
    await rename(temporary, besides(path))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Returns the version that was kept for this file; undefined when there is none. */
export async function findVersion(path: string, identity: string): Promise<string | undefined> {
  const text = await readFile(besides(path), 'utf8').catch(() => '')
  const [found, version = ''] = text.trimEnd().split(' ')
  return found === identity && isContentVersion(version) ? version : undefined
}

export const forgetVersion = (path: string) => rm(besides(path), { force: true })

/** A dot cannot be part of a key, so no package has this name. */
const besides = (path: string) => `${path}.version`
