import { time } from './fields.ts'
import { array, boolean, integer, object, oneOf, type Static, text } from './schema.ts'

/**
 * The size of every part of an upload but the last. A cut costs at most what is under way, a few parts. A bucket takes
 * parts from 5 MiB on and at most 10,000 of them. Versions of stored packages depend on it: never change it.
 */
export const PART_BYTES = 8 * 1024 * 1024

export const partCount = (size: number) => Math.ceil(size / PART_BYTES)

/** Where a part begins and how long it is. Parts are numbered from 1. */
export function partRange(size: number, number: number): { from: number; size: number } {
  const from = (number - 1) * PART_BYTES
  return { from, size: Math.min(PART_BYTES, size - from) }
}

export const partSum = text({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the part, in hexadecimal digits' })

/** A part and what it contains. */
export const UploadPart = object({
  number: integer({ minimum: 1, maximum: 10_000, description: 'From 1 on' }),
  sha256: partSum,
})
export interface UploadPart extends Static<typeof UploadPart> {}

/** What an uploaded file is for: a package to import, or a file of another system's export to convert. */
export const UPLOAD_PURPOSES = ['import', 'conversion'] as const
export type UploadPurpose = (typeof UPLOAD_PURPOSES)[number]

const summary = {
  uploadId: text(),
  purpose: oneOf(UPLOAD_PURPOSES),
  filename: text(),
  size: integer({ description: 'Of the whole file, in bytes' }),
  partBytes: integer({ description: 'The size of every part but the last' }),
  startedAt: time(),
  usedAt: time('When an address of a part was last given out'),
  expiresAt: time('When it is removed if nobody continues it'),
}

/** An upload in parts that is not complete. */
export const UnfinishedUpload = object({
  ...summary,
  storedBytes: integer({ description: 'In parts that are stored' }),
})
export interface UnfinishedUpload extends Static<typeof UnfinishedUpload> {}

export const PackageUpload = object({
  ...summary,
  completed: boolean({ description: 'The file is there; the upload takes no more parts' }),
  parts: array(UploadPart, { description: 'The parts that are stored, in order' }),
})
export interface PackageUpload extends Static<typeof PackageUpload> {}
