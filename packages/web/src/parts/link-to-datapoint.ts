/** The end of an address that leads to a datapoint on the page of its controller. */
export const datapointHash = (datapointId: string) => `#datapoint-${encodeURIComponent(datapointId)}`
