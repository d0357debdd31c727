/** How many points go into one request. The answer stays within bounds even where each object is large. */
const MOST_IN_ONE_REQUEST = 50

/** Distributes paths over requests, each path once, in the order given. */
export function planRequests(paths: Iterable<string>): readonly (readonly string[])[] {
  const distinct = [...new Set(paths)]
  const requests: string[][] = []
  for (let start = 0; start < distinct.length; start += MOST_IN_ONE_REQUEST) {
    requests.push(distinct.slice(start, start + MOST_IN_ONE_REQUEST))
  }
  return requests
}
