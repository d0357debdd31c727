/** A point of a model, as the SunSpec information model defines it. */
export interface ModelPoint {
  name: string
  type: string
  /** Registers from the beginning of the model, its number and length included. */
  offset: number
  width: number
  /** The name of its scale factor. */
  scale: string | undefined
  isWritable: boolean
}

const NO_EVENTS =
  'Evt1=bitfield32 Evt2=bitfield32 EvtVnd1=bitfield32 EvtVnd2=bitfield32 EvtVnd3=bitfield32 EvtVnd4=bitfield32'

const COMMON = 'Mn=string/16 Md=string/16 Opt=string/8 Vr=string/8 SN=string/16 DA=uint16 Pad=uint16'

const INVERTER = `
  A=uint16*A_SF AphA=uint16*A_SF AphB=uint16*A_SF AphC=uint16*A_SF A_SF=sunssf
  PPVphAB=uint16*V_SF PPVphBC=uint16*V_SF PPVphCA=uint16*V_SF PhVphA=uint16*V_SF PhVphB=uint16*V_SF PhVphC=uint16*V_SF V_SF=sunssf
  W=int16*W_SF W_SF=sunssf Hz=uint16*Hz_SF Hz_SF=sunssf VA=int16*VA_SF VA_SF=sunssf VAr=int16*VAr_SF VAr_SF=sunssf
  PF=int16*PF_SF PF_SF=sunssf WH=acc32*WH_SF WH_SF=sunssf DCA=uint16*DCA_SF DCA_SF=sunssf DCV=uint16*DCV_SF DCV_SF=sunssf
  DCW=int16*DCW_SF DCW_SF=sunssf TmpCab=int16*Tmp_SF TmpSnk=int16*Tmp_SF TmpTrns=int16*Tmp_SF TmpOt=int16*Tmp_SF Tmp_SF=sunssf
  St=enum16 StVnd=enum16 ${NO_EVENTS}`

const FLOAT_INVERTER = `
  A=float32 AphA=float32 AphB=float32 AphC=float32 PPVphAB=float32 PPVphBC=float32 PPVphCA=float32
  PhVphA=float32 PhVphB=float32 PhVphC=float32 W=float32 Hz=float32 VA=float32 VAr=float32 PF=float32 WH=float32
  DCA=float32 DCV=float32 DCW=float32 TmpCab=float32 TmpSnk=float32 TmpTrns=float32 TmpOt=float32
  St=enum16 StVnd=enum16 ${NO_EVENTS}`

const CONTROLS = `
  Conn_WinTms=uint16! Conn_RvrtTms=uint16! Conn=enum16!
  WMaxLimPct=uint16*WMaxLimPct_SF! WMaxLimPct_WinTms=uint16! WMaxLimPct_RvrtTms=uint16! WMaxLimPct_RmpTms=uint16! WMaxLim_Ena=enum16!
  OutPFSet=int16*OutPFSet_SF! OutPFSet_WinTms=uint16! OutPFSet_RvrtTms=uint16! OutPFSet_RmpTms=uint16! OutPFSet_Ena=enum16!
  VArWMaxPct=int16*VArPct_SF! VArMaxPct=int16*VArPct_SF! VArAvalPct=int16*VArPct_SF! VArPct_WinTms=uint16! VArPct_RvrtTms=uint16!
  VArPct_RmpTms=uint16! VArPct_Mod=enum16! VArPct_Ena=enum16! WMaxLimPct_SF=sunssf OutPFSet_SF=sunssf VArPct_SF=sunssf`

const STORAGE = `
  WChaMax=uint16*WChaMax_SF! WChaGra=uint16*WChaDisChaGra_SF! WDisChaGra=uint16*WChaDisChaGra_SF! StorCtl_Mod=bitfield16!
  VAChaMax=uint16*VAChaMax_SF! MinRsvPct=uint16*MinRsvPct_SF! ChaState=uint16*ChaState_SF StorAval=uint16*StorAval_SF
  InBatV=uint16*InBatV_SF ChaSt=enum16 OutWRte=int16*InOutWRte_SF! InWRte=int16*InOutWRte_SF! InOutWRte_WinTms=uint16!
  InOutWRte_RvrtTms=uint16! InOutWRte_RmpTms=uint16! ChaGriSet=enum16! WChaMax_SF=sunssf WChaDisChaGra_SF=sunssf
  VAChaMax_SF=sunssf MinRsvPct_SF=sunssf ChaState_SF=sunssf StorAval_SF=sunssf InBatV_SF=sunssf InOutWRte_SF=sunssf`

const TEXTS: Readonly<Record<number, string>> = {
  1: COMMON,
  ...{ 101: INVERTER, 102: INVERTER, 103: INVERTER },
  ...{ 111: FLOAT_INVERTER, 112: FLOAT_INVERTER, 113: FLOAT_INVERTER },
  ...{ 123: CONTROLS, 124: STORAGE },
}

/** The powers of ten that the simulated devices use; 0 for all others. */
export const SCALE_FACTORS: Readonly<Record<string, number>> = {
  ...{ A_SF: -2, V_SF: -1, Hz_SF: -2, PF_SF: -2, DCA_SF: -2, DCV_SF: -1, Tmp_SF: -1 },
  ...{ WMaxLimPct_SF: -2, OutPFSet_SF: -3, VArPct_SF: -2 },
  ...{ MinRsvPct_SF: -2, ChaState_SF: -2, InBatV_SF: -1, InOutWRte_SF: -2 },
}

/** The timers after which a device ends controls that nobody renews, with the points that they are for. */
export const REVERSIONS: Readonly<Record<string, readonly string[]>> = {
  '123.WMaxLimPct_RvrtTms': ['WMaxLimPct', 'WMaxLim_Ena'],
  '124.InOutWRte_RvrtTms': ['OutWRte', 'InWRte'],
}

const POINT = /^(\w+)=([a-z]+(\d*))(?:\/(\d+))?(?:\*(\w+))?(!?)$/

/** Returns the points of a model; `undefined` for one that cannot be simulated. */
export function pointsOf(model: number): readonly ModelPoint[] | undefined {
  let offset = 2
  return TEXTS[model]
    ?.trim()
    .split(/\s+/)
    .map((text) => {
      const [, name = '', type = '', bits = '', size, scale, writable] = POINT.exec(text) ?? []
      const width = size === undefined ? Number(bits || 16) / 16 : Number(size)
      const point = { name, type, offset, width, scale, isWritable: writable === '!' }
      offset += width
      return point
    })
}
