import { type RequestSample, SAMPLE_CHARACTERS } from '@plantroom/contract/request-sample'
import { openPackage } from '@plantroom/fpl/read-package'
import { type PlacedRequest, readRequests } from '@plantroom/fpl/read-requests'
import { attachmentsOf } from './plan.ts'

/** Shortens a request of a package to what people look at before they import it. */
export function sampleOf({ index, request }: PlacedRequest): RequestSample {
  const { reporter, comments = [], tags = [] } = request
  return {
    row: index + 1,
    externalId: request.externalId,
    title: request.title,
    state: request.state,
    priority: request.priority ?? null,
    description: shortened(request.description),
    unit: request.unit?.trim() || null,
    reporter: reporter?.name?.trim() || reporter?.email || reporter?.phone?.trim() || null,
    assignee: request.assignee ?? null,
    tags: tags.slice(0, 20).map((tag) => tag.trim()),
    createdAt: request.createdAt ?? null,
    comments: comments.length,
    attachments: attachmentsOf(request).length,
  }
}

function shortened(text: string | null | undefined): string | null {
  if (!text) return null
  return text.length <= SAMPLE_CHARACTERS ? text : `${text.slice(0, SAMPLE_CHARACTERS).toWellFormed()}…`
}

/** Returns the first requests of a package on disk. The package is not checked. */
export async function firstSamples(path: string, count: number): Promise<RequestSample[]> {
  using opened = openPackage(path)
  const samples: RequestSample[] = []
  const enough = new AbortController()
  try {
    await readRequests(
      opened,
      async (requests) => {
        samples.push(...requests.map(sampleOf))
        enough.abort()
      },
      { signal: enough.signal, batchRequests: count },
    )
  } catch (error) {
    if (!enough.signal.aborted) throw error
  }
  return samples.slice(0, count)
}
