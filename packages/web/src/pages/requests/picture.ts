import type { Attachment } from '@plantroom/contract/tickets'

const TYPES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])
const ENDINGS = /\.(?:png|jpe?g|webp|gif|avif)$/i

/**
 * Reports whether a file may be a picture to show, by what its sender says about it. The service decides by the bytes, and
 * answers with an error for everything else.
 */
export function mayBePicture({ name, contentType }: Pick<Attachment, 'name' | 'contentType'>): boolean {
  return TYPES.has(contentType?.split(';')[0]?.trim().toLowerCase() ?? '') || ENDINGS.test(name)
}

const STEPS = [1, 1.5, 2, 3, 4, 6, 8]

/** Returns the next larger or smaller zoom; 1 fits the screen. */
export function nextZoom(zoom: number, direction: 1 | -1): number {
  const found = direction === 1 ? STEPS.find((step) => step > zoom) : STEPS.findLast((step) => step < zoom)
  return found ?? zoom
}
