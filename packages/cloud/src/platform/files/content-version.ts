import { hash } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { Scratch } from './scratch.ts'

const CONTENT_VERSION = /^sha256-[0-9a-f]{64}-\d+$/

/**
 * The version of a package on disk: the SHA-256 of the SHA-256s of its parts (in hexadecimal digits), and its size. Equal bytes have equal
 * versions, however they were sent.
 */
export function contentVersion(partSums: readonly string[], size: number): string {
  return `sha256-${hash('sha256', Buffer.from(partSums.join(''), 'hex'))}-${size}`
}

/** True for the version of a content; earlier releases identified the file instead. */
export const isContentVersion = (version: string) => CONTENT_VERSION.test(version)

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
