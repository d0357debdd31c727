import { randomUUID } from 'node:crypto'
import type { StoredBytes } from './stored-bytes.ts'

/** Uploads leave this much free: the database is usually on the same disk. */
export const RESERVE_BYTES = 256 * 1024 * 1024

/** Bytes that an upload may still write. */
interface Reservation {
  organizationId: string | undefined
  size: number
  received: number
}

export interface ReservationDeps {
  freeBytes(): Promise<number>
  /** What organizations have stored. */
  stored: StoredBytes
  maxBytesPerOrganization: number
}

export interface ReservedUpload {
  /** Counts bytes that arrived: they are no longer free, so they need no reservation. */
  received(bytes: number): void
  end(): void
}

/** Reserves the declared length of every upload, so that parallel ones cannot fill the disk together. */
export interface UploadReservations {
  /**
   * Returns why the upload has no room, or its reservation. Without an organization, only the disk is asked: a part of an
   * upload whose whole size already counts.
   */
  reserve(
    organizationId: string | undefined,
    size: number,
  ): Promise<ReservedUpload | { refusal: 'disk' | 'organization' }>
}

export function createUploadReservations(deps: ReservationDeps): UploadReservations {
  const reservations = new Map<string, Reservation>()

  const sum = (bytesOf: (each: Reservation) => number) =>
    [...reservations.values()].reduce((total, each) => total + bytesOf(each), 0)
  const outstanding = () => sum(({ size, received }) => Math.max(0, size - received))
  const wholeSize = (organizationId: string) => sum((each) => (each.organizationId === organizationId ? each.size : 0))

  const fits = (organizationId: string) =>
    deps.stored.fit(organizationId, wholeSize(organizationId), deps.maxBytesPerOrganization)

  return {
    async reserve(organizationId, size) {
      // Reserved before the first question: two uploads that ask at the same time must see each other.
      const id = randomUUID()
      const own: Reservation = { organizationId, size, received: 0 }
      reservations.set(id, own)
      const end = () => void reservations.delete(id)
      const endUpload = () => {
        end()
        if (organizationId !== undefined) deps.stored.add(organizationId, own.received)
      }
      try {
        if (organizationId !== undefined && !(await fits(organizationId))) {
          end()
          return { refusal: 'organization' }
        }
        const free = await deps.freeBytes()
        if (free - outstanding() < RESERVE_BYTES) {
          end()
          return { refusal: 'disk' }
        }
      } catch (error) {
        end()
        throw error
      }
      return {
        received: (bytes) => {
          own.received += bytes
        },
        end: endUpload,
      }
    },
  }
}
