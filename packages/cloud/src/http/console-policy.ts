/** Where a browser sends a package to when files are kept in a bucket: the addresses that are signed begin with it. */
export function bucketOrigin(s3: { bucket: string; region: string; endpoint: string | undefined }): string {
  const { bucket, region, endpoint } = s3
  if (endpoint !== undefined) return new URL(endpoint).origin
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  // The certificate is good for one name below the host: a bucket with dots stands in the path.
  return bucket.includes('.') ? `https://${host}` : `https://${bucket}.${host}`
}

/** What the pages of the console may load, run and call: themselves, and nobody else. */
export function contentPolicy(options: { styleNonce: string; uploadsTo: string | undefined }): string {
  const rules: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", `'nonce-${options.styleNonce}'`],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...(options.uploadsTo === undefined ? [] : [options.uploadsTo])],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
  }
  return Object.entries(rules)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}
