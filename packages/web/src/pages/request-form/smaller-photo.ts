import { FORM_PHOTO_BYTES } from '@plantroom/contract/request-fields'

/** Enough to see what is broken. */
const LONGEST_SIDE = 1600
const QUALITIES = [0.85, 0.7, 0.5, 0.3]

/**
 * Draws a photo again, as a small JPEG in base64: phones make photos of many megabytes, with the place where they were
 * taken in them. Rejects when the browser cannot read the file.
 */
export async function smallerPhoto(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  for (const quality of QUALITIES) {
    const encoded = canvas.toDataURL('image/jpeg', quality).split(',')[1] ?? ''
    if ((encoded.length * 3) / 4 <= FORM_PHOTO_BYTES) return encoded
  }
  throw new Error('the photo stays too large')
}
