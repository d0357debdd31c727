/**
 * An address of this service as this page may call it: it names the host that the service knows itself by, and the page may be
 * open under another name of the same. That of a bucket, which has a signature of its own kind, stays as it is.
 */
export function ownAddress(address: string): string {
  const { pathname, search, searchParams } = new URL(address)
  return pathname.startsWith('/uploads/') && !searchParams.has('X-Amz-Signature') ? pathname + search : address
}
