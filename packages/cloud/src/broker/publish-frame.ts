const PUBLISH_QOS_0 = 0x30

/** An MQTT PUBLISH of QoS 0, not retained. Topics are ASCII: ids and words of our own. */
export function publishFrame(topic: string, payload: Buffer): Buffer {
  const length = 2 + topic.length + payload.length
  const lengthBytes = length < 128 ? 1 : length < 16_384 ? 2 : length < 2_097_152 ? 3 : 4
  const frame = Buffer.allocUnsafe(1 + lengthBytes + length)
  frame[0] = PUBLISH_QOS_0
  let position = 1
  for (let rest = length; position <= lengthBytes; position += 1) {
    frame[position] = position < lengthBytes ? (rest & 0x7f) | 0x80 : rest & 0x7f
    rest = Math.floor(rest / 128)
  }
  position = frame.writeUInt16BE(topic.length, position)
  position += frame.write(topic, position, 'latin1')
  payload.copy(frame, position)
  return frame
}
