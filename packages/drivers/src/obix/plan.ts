/** The number of points in one request: the answer stays within its limit even if each object is large. */
const MAX_IN_ONE_REQUEST = 50

/** Distributes paths over requests, each path once, in order. */
export function planRequests(paths: Iterable<string>): readonly (readonly string[])[] {
  const distinct = [...new Set(paths)]
  const requests: string[][] = []
  for (let start = 0; start < distinct.length; start += MAX_IN_ONE_REQUEST) {
    requests.push(distinct.slice(start, start + MAX_IN_ONE_REQUEST))
  }
  return requests
}
