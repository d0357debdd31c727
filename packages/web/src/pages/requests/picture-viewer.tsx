import { Group, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import type { Attachment } from '@plantroom/contract/tickets'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Modal } from '../../parts/dialogs.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { format } from '../../texts/format.ts'
import { viewer } from '../../texts/request-parts.ts'
import { nextZoom } from './picture.ts'
import classes from './requests.module.css'

const PARAMETER = 'photo'

/** The picture in the address of the page, so that Back closes the viewer and a link opens it. */
export function useShownPicture() {
  const [params, setParams] = useSearchParams()
  const openedHere = useRef(false)
  return {
    shownId: params.get(PARAMETER),
    show(id: string, { replace = false } = {}) {
      if (!replace) openedHere.current = true
      setParams({ [PARAMETER]: id }, { replace })
    },
    close() {
      if (openedHere.current) window.history.back()
      else setParams({}, { replace: true })
      openedHere.current = false
    },
  }
}

/** Shows one of several pictures on the whole screen: arrow keys change it, + and - zoom, Escape and Back close it. */
export function PictureViewer({
  pictures,
  shownId,
  addressOf,
  onShow,
  onClose,
  download,
}: {
  pictures: readonly Attachment[]
  shownId: string | null
  addressOf: (id: string) => string
  onShow: (id: string) => void
  onClose: () => void
  download: (picture: Attachment) => ReactNode
}) {
  const place = pictures.findIndex(({ id }) => id === shownId)
  const picture = pictures[place]
  const move = (by: number) => {
    const next = pictures[(place + by + pictures.length) % pictures.length]
    if (next) onShow(next.id)
  }
  return (
    <Modal
      opened={picture !== undefined}
      onClose={onClose}
      byAddress
      title={picture?.name}
      fullScreen
      classNames={{ content: classes.viewer, body: classes.viewerBody }}
      transitionProps={{ duration: 0 }}
    >
      {picture && (
        <Picture
          picture={picture}
          address={addressOf(picture.id)}
          position={format(viewer.place, { place: place + 1, count: pictures.length })}
          onMove={pictures.length > 1 ? move : undefined}
          download={download(picture)}
        />
      )}
    </Modal>
  )
}

function Picture({
  picture,
  address,
  position,
  onMove,
  download,
}: {
  picture: Attachment
  address: string
  position: string
  onMove: ((by: number) => void) | undefined
  download: ReactNode
}) {
  // By picture: the next one fits the screen again.
  const [zoomed, setZoomed] = useState({ id: picture.id, zoom: 1 })
  const [failedId, setFailedId] = useState<string>()
  const zoom = zoomed.id === picture.id ? zoomed.zoom : 1
  const percent = Math.round(zoom * 100)
  const { scroller, keepCenter } = useKeptCenter(`${picture.id} ${zoom}`)
  const zoomBy = (direction: 1 | -1) => {
    keepCenter()
    setZoomed({ id: picture.id, zoom: nextZoom(zoom, direction) })
  }
  const showWhole = () => setZoomed({ id: picture.id, zoom: 1 })

  useWindowEvent('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    // Arrow keys scroll a zoomed picture.
    if (event.key === 'ArrowLeft' && zoom === 1) onMove?.(-1)
    else if (event.key === 'ArrowRight' && zoom === 1) onMove?.(1)
    else if (event.key === '+') zoomBy(1)
    else if (event.key === '-') zoomBy(-1)
    else if (event.key === '0') showWhole()
  })

  return (
    <>
      <Group gap="xs" justify="center" pt={4}>
        {onMove && (
          <>
            <SmallButton onClick={() => onMove(-1)} aria-label={viewer.previous}>
              ←
            </SmallButton>
            <Text size="sm" role="status">
              {position}
            </Text>
            <SmallButton onClick={() => onMove(1)} aria-label={viewer.next} data-autofocus>
              →
            </SmallButton>
          </>
        )}
        <SmallButton onClick={() => zoomBy(-1)} aria-label={viewer.zoomOut} disabled={zoom === 1}>
          −
        </SmallButton>
        <SmallButton onClick={showWhole} aria-label={format(viewer.fit, { percent })}>
          {format(viewer.zoom, { percent })}
        </SmallButton>
        <SmallButton onClick={() => zoomBy(1)} aria-label={viewer.zoomIn} disabled={zoom === 8}>
          +
        </SmallButton>
        {download}
      </Group>
      {failedId === picture.id ? (
        <Text ta="center" role="alert">
          {viewer.failed}
        </Text>
      ) : (
        <div className={classes.stage}>
          <div ref={scroller} className={classes.scroller} tabIndex={zoom > 1 ? 0 : undefined}>
            <img
              key={picture.id}
              src={address}
              alt={picture.name}
              style={{
                width: `${zoom * 100}%`,
                height: `${zoom * 100}%`,
                // A small picture is not enlarged before someone zooms in.
                objectFit: zoom === 1 ? 'scale-down' : 'contain',
              }}
              onError={() => setFailedId(picture.id)}
            />
          </div>
        </div>
      )}
    </>
  )
}

/** Keeps the middle of what is seen in the middle after a zoom. `size` changes with the size of the content. */
function useKeptCenter(size: string) {
  const scroller = useRef<HTMLDivElement>(null)
  const center = useRef({ x: 0.5, y: 0.5 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size of the content is what moves it
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box) return
    box.scrollLeft = center.current.x * box.scrollWidth - box.clientWidth / 2
    box.scrollTop = center.current.y * box.scrollHeight - box.clientHeight / 2
    center.current = { x: 0.5, y: 0.5 }
  }, [size])
  return {
    scroller,
    keepCenter() {
      const box = scroller.current
      if (!box) return
      center.current = {
        x: (box.scrollLeft + box.clientWidth / 2) / box.scrollWidth,
        y: (box.scrollTop + box.clientHeight / 2) / box.scrollHeight,
      }
    },
  }
}
