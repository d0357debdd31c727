/**
 * The models of SunSpec that we know, from https://github.com/sunspec/models at 7abdf8982d5364f8ae916deee18aac86c11be36d,
 * which is published under the Apache License 2.0. Changed: only what the driver needs, in the notation that
 * `definitions.ts` reads. Made by `testing/make-models.ts`.
 */
export const MODELS = `
# 1 common
ID=uint16 L=uint16 Mn=string/16 Md=string/16 Opt=string/8 Vr=string/8 SN=string/16 DA=uint16! Pad=pad
# 101 inverter_single_phase, 102 inverter_split_phase, 103 inverter_three_phase
ID=uint16 L=uint16 A=uint16*A_SF[A] AphA=uint16*A_SF[A] AphB=uint16*A_SF[A] AphC=uint16*A_SF[A] A_SF=sunssf
PPVphAB=uint16*V_SF[V] PPVphBC=uint16*V_SF[V] PPVphCA=uint16*V_SF[V] PhVphA=uint16*V_SF[V] PhVphB=uint16*V_SF[V]
PhVphC=uint16*V_SF[V] V_SF=sunssf W=int16*W_SF[W] W_SF=sunssf Hz=uint16*Hz_SF[Hz] Hz_SF=sunssf VA=int16*VA_SF[VA]
VA_SF=sunssf VAr=int16*VAr_SF[var] VAr_SF=sunssf PF=int16*PF_SF[Pct] PF_SF=sunssf WH=acc32*WH_SF[Wh] WH_SF=sunssf
DCA=uint16*DCA_SF[A] DCA_SF=sunssf DCV=uint16*DCV_SF[V] DCV_SF=sunssf DCW=int16*DCW_SF[W] DCW_SF=sunssf
TmpCab=int16*Tmp_SF[C] TmpSnk=int16*Tmp_SF[C] TmpTrns=int16*Tmp_SF[C] TmpOt=int16*Tmp_SF[C] Tmp_SF=sunssf
St=enum16{1:OFF,2:SLEEPING,3:STARTING,4:MPPT,5:THROTTLED,6:SHUTTING_DOWN,7:FAULT,8:STANDBY} StVnd=enum16
Evt1=bitfield32 Evt2=bitfield32 EvtVnd1=bitfield32 EvtVnd2=bitfield32 EvtVnd3=bitfield32 EvtVnd4=bitfield32
# 111 inverter_single_phase_float
ID=uint16 L=uint16 A=float32[A] AphA=float32[A] AphB=float32[A] AphC=float32[A] PPVphAB=float32[V] PPVphBC=float32[V]
PPVphCA=float32[V] PhVphA=float32[V] PhVphB=float32[V] PhVphC=float32[V] W=float32[W] Hz=float32[Hz] VA=float32[VA]
VAr=float32[var] PF=float32[Pct] WH=float32[Wh] DCA=float32[A] DCV=float32[V] DCW=float32[W] TmpCab=float32[C]
TmpSnk=float32[C] TmpTrns=float32[C] TmpOt=float32[C]
St=enum16{1:ggOFF,2:ggSLEEPING,3:ggSTARTING,4:ggMPPT,5:ggTHROTTLED,6:ggSHUTTING_DOWN,7:ggFAULT,8:ggSTANDBY}
StVnd=enum16 Evt1=bitfield32 Evt2=bitfield32 EvtVnd1=bitfield32 EvtVnd2=bitfield32 EvtVnd3=bitfield32
EvtVnd4=bitfield32
# 112 inverter_split_phase_float, 113 inverter_three_phase_float
ID=uint16 L=uint16 A=float32[A] AphA=float32[A] AphB=float32[A] AphC=float32[A] PPVphAB=float32[V] PPVphBC=float32[V]
PPVphCA=float32[V] PhVphA=float32[V] PhVphB=float32[V] PhVphC=float32[V] W=float32[W] Hz=float32[Hz] VA=float32[VA]
VAr=float32[var] PF=float32[Pct] WH=float32[Wh] DCA=float32[A] DCV=float32[V] DCW=float32[W] TmpCab=float32[C]
TmpSnk=float32[C] TmpTrns=float32[C] TmpOt=float32[C]
St=enum16{1:OFF,2:SLEEPING,3:STARTING,4:MPPT,5:THROTTLED,6:SHUTTING_DOWN,7:FAULT,8:STANDBY} StVnd=enum16
Evt1=bitfield32 Evt2=bitfield32 EvtVnd1=bitfield32 EvtVnd2=bitfield32 EvtVnd3=bitfield32 EvtVnd4=bitfield32
# 120 nameplate
ID=uint16 L=uint16 DERTyp=enum16{4:PV,82:PV_STOR} WRtg=uint16*WRtg_SF[W] WRtg_SF=sunssf VARtg=uint16*VARtg_SF[VA]
VARtg_SF=sunssf VArRtgQ1=int16*VArRtg_SF[var] VArRtgQ2=int16*VArRtg_SF[var] VArRtgQ3=int16*VArRtg_SF[var]
VArRtgQ4=int16*VArRtg_SF[var] VArRtg_SF=sunssf ARtg=uint16*ARtg_SF[A] ARtg_SF=sunssf PFRtgQ1=int16*PFRtg_SF[cos()]
PFRtgQ2=int16*PFRtg_SF[cos()] PFRtgQ3=int16*PFRtg_SF[cos()] PFRtgQ4=int16*PFRtg_SF[cos()] PFRtg_SF=sunssf
WHRtg=uint16*WHRtg_SF[Wh] WHRtg_SF=sunssf AhrRtg=uint16*AhrRtg_SF[AH] AhrRtg_SF=sunssf
MaxChaRte=uint16*MaxChaRte_SF[W] MaxChaRte_SF=sunssf MaxDisChaRte=uint16*MaxDisChaRte_SF[W] MaxDisChaRte_SF=sunssf
Pad=pad
# 121 settings
ID=uint16 L=uint16 WMax=uint16*WMax_SF[W]! VRef=uint16*VRef_SF[V]! VRefOfs=int16*VRefOfs_SF[V]!
VMax=uint16*VMinMax_SF[V]! VMin=uint16*VMinMax_SF[V]! VAMax=uint16*VAMax_SF[VA]! VArMaxQ1=int16*VArMax_SF[var]!
VArMaxQ2=int16*VArMax_SF[var]! VArMaxQ3=int16*VArMax_SF[var]! VArMaxQ4=int16*VArMax_SF[var]!
WGra=uint16*WGra_SF[%WMax/sec]! PFMinQ1=int16*PFMin_SF[cos()]! PFMinQ2=int16*PFMin_SF[cos()]!
PFMinQ3=int16*PFMin_SF[cos()]! PFMinQ4=int16*PFMin_SF[cos()]! VArAct=enum16!{1:SWITCH,2:MAINTAIN}
ClcTotVA=enum16!{1:VECTOR,2:ARITHMETIC} MaxRmpRte=uint16*MaxRmpRte_SF[%WGra]! ECPNomHz=uint16*ECPNomHz_SF[Hz]!
ConnPh=enum16!{1:A,2:B,3:C} WMax_SF=sunssf VRef_SF=sunssf VRefOfs_SF=sunssf VMinMax_SF=sunssf VAMax_SF=sunssf
VArMax_SF=sunssf WGra_SF=sunssf PFMin_SF=sunssf MaxRmpRte_SF=sunssf ECPNomHz_SF=sunssf
# 122 status
ID=uint16 L=uint16 PVConn=bitfield16 StorConn=bitfield16 ECPConn=bitfield16 ActWh=acc64[Wh] ActVAh=acc64[VAh]
ActVArhQ1=acc64[varh] ActVArhQ2=acc64[varh] ActVArhQ3=acc64[varh] ActVArhQ4=acc64[varh] VArAval=int16*VArAval_SF[var]
VArAval_SF=sunssf WAval=uint16*WAval_SF[var] WAval_SF=sunssf StSetLimMsk=bitfield32 StActCtl=bitfield32 TmSrc=string/4
Tms=uint32[Secs] RtSt=bitfield16 Ris=uint16*Ris_SF[ohms] Ris_SF=sunssf
# 123 controls
ID=uint16 L=uint16 Conn_WinTms=uint16[Secs]! Conn_RvrtTms=uint16[Secs]! Conn=enum16!{0:DISCONNECT,1:CONNECT}
WMaxLimPct=uint16*WMaxLimPct_SF[%WMax]! WMaxLimPct_WinTms=uint16[Secs]! WMaxLimPct_RvrtTms=uint16[Secs]!
WMaxLimPct_RmpTms=uint16[Secs]! WMaxLim_Ena=enum16!{0:DISABLED,1:ENABLED} OutPFSet=int16*OutPFSet_SF[cos()]!
OutPFSet_WinTms=uint16[Secs]! OutPFSet_RvrtTms=uint16[Secs]! OutPFSet_RmpTms=uint16[Secs]!
OutPFSet_Ena=enum16!{0:DISABLED,1:ENABLED} VArWMaxPct=int16*VArPct_SF[%WMax]! VArMaxPct=int16*VArPct_SF[%VArMax]!
VArAvalPct=int16*VArPct_SF[%VArAval]! VArPct_WinTms=uint16[Secs]! VArPct_RvrtTms=uint16[Secs]!
VArPct_RmpTms=uint16[Secs]! VArPct_Mod=enum16!{0:NONE,1:WMax,2:VArMax,3:VArAval}
VArPct_Ena=enum16!{0:DISABLED,1:ENABLED} WMaxLimPct_SF=sunssf OutPFSet_SF=sunssf VArPct_SF=sunssf
# 124 storage_basic
ID=uint16 L=uint16 WChaMax=uint16*WChaMax_SF[W]! WChaGra=uint16*WChaDisChaGra_SF[%WChaMax/sec]!
WDisChaGra=uint16*WChaDisChaGra_SF[%WChaMax/sec]! StorCtl_Mod=bitfield16! VAChaMax=uint16*VAChaMax_SF[VA]!
MinRsvPct=uint16*MinRsvPct_SF[%WChaMax]! ChaState=uint16*ChaState_SF[%AhrRtg] StorAval=uint16*StorAval_SF[AH]
InBatV=uint16*InBatV_SF[V] ChaSt=enum16{1:OFF,2:EMPTY,3:DISCHARGING,4:CHARGING,5:FULL,6:HOLDING,7:TESTING}
OutWRte=int16*InOutWRte_SF[%WDisChaMax]! InWRte=int16*InOutWRte_SF[%WChaMax]! InOutWRte_WinTms=uint16[Secs]!
InOutWRte_RvrtTms=uint16[Secs]! InOutWRte_RmpTms=uint16[Secs]! ChaGriSet=enum16!{0:PV,1:GRID} WChaMax_SF=sunssf
WChaDisChaGra_SF=sunssf VAChaMax_SF=sunssf MinRsvPct_SF=sunssf ChaState_SF=sunssf StorAval_SF=sunssf InBatV_SF=sunssf
InOutWRte_SF=sunssf
# 160 mppt
ID=uint16 L=uint16 DCA_SF=sunssf DCV_SF=sunssf DCW_SF=sunssf DCWH_SF=sunssf Evt=bitfield32 N=count TmsPer=uint16
> module 0
ID=uint16 IDStr=string/8 DCA=uint16*DCA_SF[A] DCV=uint16*DCV_SF[V] DCW=uint16*DCW_SF[W] DCWH=acc32*DCWH_SF[Wh]
Tms=uint32[Secs] Tmp=int16[C]
DCSt=enum16{1:OFF,2:SLEEPING,3:STARTING,4:MPPT,5:THROTTLED,6:SHUTTING_DOWN,7:FAULT,8:STANDBY,9:TEST,10:RESERVED_10}
DCEvt=bitfield32
# 201 ac_meter_an_or_ab
ID=uint16 L=uint16 A=int16*A_SF[A] AphA=int16*A_SF[A] AphB=int16*A_SF[A] AphC=int16*A_SF[A] A_SF=sunssf
PhV=int16*V_SF[V] PhVphA=int16*V_SF[V] PhVphB=int16*V_SF[V] PhVphC=int16*V_SF[V] PPV=int16*V_SF[V]
PPVphAB=int16*V_SF[V] PPVphBC=int16*V_SF[V] PPVphCA=int16*V_SF[V] V_SF=sunssf Hz=int16*Hz_SF[Hz] Hz_SF=sunssf
W=int16*W_SF[W] WphA=int16*W_SF[W] WphB=int16*W_SF[W] WphC=int16*W_SF[W] W_SF=sunssf VA=int16*VA_SF[VA]
VAphA=int16*VA_SF[VA] VAphB=int16*VA_SF[VA] VAphC=int16*VA_SF[VA] VA_SF=sunssf VAR=int16*VAR_SF[var]
VARphA=int16*VAR_SF[var] VARphB=int16*VAR_SF[var] VARphC=int16*VAR_SF[var] VAR_SF=sunssf PF=int16*PF_SF[Pct]
PFphA=int16*PF_SF[Pct] PFphB=int16*PF_SF[Pct] PFphC=int16*PF_SF[Pct] PF_SF=sunssf TotWhExp=acc32*TotWh_SF[Wh]
TotWhExpPhA=acc32*TotWh_SF[Wh] TotWhExpPhB=acc32*TotWh_SF[Wh] TotWhExpPhC=acc32*TotWh_SF[Wh]
TotWhImp=acc32*TotWh_SF[Wh] TotWhImpPhA=acc32*TotWh_SF[Wh] TotWhImpPhB=acc32*TotWh_SF[Wh]
TotWhImpPhC=acc32*TotWh_SF[Wh] TotWh_SF=sunssf TotVAhExp=acc32*TotVAh_SF[VAh] TotVAhExpPhA=acc32*TotVAh_SF[VAh]
TotVAhExpPhB=acc32*TotVAh_SF[VAh] TotVAhExpPhC=acc32*TotVAh_SF[VAh] TotVAhImp=acc32*TotVAh_SF[VAh]
TotVAhImpPhA=acc32*TotVAh_SF[VAh] TotVAhImpPhB=acc32*TotVAh_SF[VAh] TotVAhImpPhC=acc32*TotVAh_SF[VAh] TotVAh_SF=sunssf
TotVArhImpQ1=acc32*TotVArh_SF[varh] TotVArhImpQ1PhA=acc32*TotVArh_SF[varh] TotVArhImpQ1PhB=acc32*TotVArh_SF[varh]
TotVArhImpQ1PhC=acc32*TotVArh_SF[varh] TotVArhImpQ2=acc32*TotVArh_SF[varh] TotVArhImpQ2PhA=acc32*TotVArh_SF[varh]
TotVArhImpQ2PhB=acc32*TotVArh_SF[varh] TotVArhImpQ2PhC=acc32*TotVArh_SF[varh] TotVArhExpQ3=acc32*TotVArh_SF[varh]
TotVArhExpQ3PhA=acc32*TotVArh_SF[varh] TotVArhExpQ3PhB=acc32*TotVArh_SF[varh] TotVArhExpQ3PhC=acc32*TotVArh_SF[varh]
TotVArhExpQ4=acc32*TotVArh_SF[varh] TotVArhExpQ4PhA=acc32*TotVArh_SF[varh] TotVArhExpQ4PhB=acc32*TotVArh_SF[varh]
TotVArhExpQ4PhC=acc32*TotVArh_SF[varh] TotVArh_SF=sunssf Evt=bitfield32
# 202 ac_meter_abn, 203 ac_meter_abcn, 204 ac_meter_abc
ID=uint16 L=uint16 A=int16*A_SF[A] AphA=int16*A_SF[A] AphB=int16*A_SF[A] AphC=int16*A_SF[A] A_SF=sunssf
PhV=int16*V_SF[V] PhVphA=int16*V_SF[V] PhVphB=int16*V_SF[V] PhVphC=int16*V_SF[V] PPV=int16*V_SF[V]
PhVphAB=int16*V_SF[V] PhVphBC=int16*V_SF[V] PhVphCA=int16*V_SF[V] V_SF=sunssf Hz=int16*Hz_SF[Hz] Hz_SF=sunssf
W=int16*W_SF[W] WphA=int16*W_SF[W] WphB=int16*W_SF[W] WphC=int16*W_SF[W] W_SF=sunssf VA=int16*VA_SF[VA]
VAphA=int16*VA_SF[VA] VAphB=int16*VA_SF[VA] VAphC=int16*VA_SF[VA] VA_SF=sunssf VAR=int16*VAR_SF[var]
VARphA=int16*VAR_SF[var] VARphB=int16*VAR_SF[var] VARphC=int16*VAR_SF[var] VAR_SF=sunssf PF=int16*PF_SF[Pct]
PFphA=int16*PF_SF[Pct] PFphB=int16*PF_SF[Pct] PFphC=int16*PF_SF[Pct] PF_SF=sunssf TotWhExp=acc32*TotWh_SF[Wh]
TotWhExpPhA=acc32*TotWh_SF[Wh] TotWhExpPhB=acc32*TotWh_SF[Wh] TotWhExpPhC=acc32*TotWh_SF[Wh]
TotWhImp=acc32*TotWh_SF[Wh] TotWhImpPhA=acc32*TotWh_SF[Wh] TotWhImpPhB=acc32*TotWh_SF[Wh]
TotWhImpPhC=acc32*TotWh_SF[Wh] TotWh_SF=sunssf TotVAhExp=acc32*TotVAh_SF[VAh] TotVAhExpPhA=acc32*TotVAh_SF[VAh]
TotVAhExpPhB=acc32*TotVAh_SF[VAh] TotVAhExpPhC=acc32*TotVAh_SF[VAh] TotVAhImp=acc32*TotVAh_SF[VAh]
TotVAhImpPhA=acc32*TotVAh_SF[VAh] TotVAhImpPhB=acc32*TotVAh_SF[VAh] TotVAhImpPhC=acc32*TotVAh_SF[VAh] TotVAh_SF=sunssf
TotVArhImpQ1=acc32*TotVArh_SF[varh] TotVArhImpQ1PhA=acc32*TotVArh_SF[varh] TotVArhImpQ1PhB=acc32*TotVArh_SF[varh]
TotVArhImpQ1PhC=acc32*TotVArh_SF[varh] TotVArhImpQ2=acc32*TotVArh_SF[varh] TotVArhImpQ2PhA=acc32*TotVArh_SF[varh]
TotVArhImpQ2PhB=acc32*TotVArh_SF[varh] TotVArhImpQ2PhC=acc32*TotVArh_SF[varh] TotVArhExpQ3=acc32*TotVArh_SF[varh]
TotVArhExpQ3PhA=acc32*TotVArh_SF[varh] TotVArhExpQ3PhB=acc32*TotVArh_SF[varh] TotVArhExpQ3PhC=acc32*TotVArh_SF[varh]
TotVArhExpQ4=acc32*TotVArh_SF[varh] TotVArhExpQ4PhA=acc32*TotVArh_SF[varh] TotVArhExpQ4PhB=acc32*TotVArh_SF[varh]
TotVArhExpQ4PhC=acc32*TotVArh_SF[varh] TotVArh_SF=sunssf Evt=bitfield32
# 211 ac_meter_an_or_ab_float, 212 ac_meter_abn_float, 213 ac_meter_abcn_float, 214 ac_meter_abc_float
ID=uint16 L=uint16 A=float32[A] AphA=float32[A] AphB=float32[A] AphC=float32[A] PhV=float32[V] PhVphA=float32[V]
PhVphB=float32[V] PhVphC=float32[V] PPV=float32[V] PPVphAB=float32[V] PPVphBC=float32[V] PPVphCA=float32[V]
Hz=float32[Hz] W=float32[W] WphA=float32[W] WphB=float32[W] WphC=float32[W] VA=float32[VA] VAphA=float32[VA]
VAphB=float32[VA] VAphC=float32[VA] VAR=float32[var] VARphA=float32[var] VARphB=float32[var] VARphC=float32[var]
PF=float32[PF] PFphA=float32[PF] PFphB=float32[PF] PFphC=float32[PF] TotWhExp=float32[Wh] TotWhExpPhA=float32[Wh]
TotWhExpPhB=float32[Wh] TotWhExpPhC=float32[Wh] TotWhImp=float32[Wh] TotWhImpPhA=float32[Wh] TotWhImpPhB=float32[Wh]
TotWhImpPhC=float32[Wh] TotVAhExp=float32[VAh] TotVAhExpPhA=float32[VAh] TotVAhExpPhB=float32[VAh]
TotVAhExpPhC=float32[VAh] TotVAhImp=float32[VAh] TotVAhImpPhA=float32[VAh] TotVAhImpPhB=float32[VAh]
TotVAhImpPhC=float32[VAh] TotVArhImpQ1=float32[varh] TotVArhImpQ1phA=float32[varh] TotVArhImpQ1phB=float32[varh]
TotVArhImpQ1phC=float32[varh] TotVArhImpQ2=float32[varh] TotVArhImpQ2phA=float32[varh] TotVArhImpQ2phB=float32[varh]
TotVArhImpQ2phC=float32[varh] TotVArhExpQ3=float32[varh] TotVArhExpQ3phA=float32[varh] TotVArhExpQ3phB=float32[varh]
TotVArhExpQ3phC=float32[varh] TotVArhExpQ4=float32[varh] TotVArhExpQ4phA=float32[varh] TotVArhExpQ4phB=float32[varh]
TotVArhExpQ4phC=float32[varh] Evt=bitfield32
# 701 DERMeasureAC
ID=uint16 L=uint16 ACType=enum16{0:SINGLE_PHASE,1:SPLIT_PHASE,2:THREE_PHASE} St=enum16{0:OFF,1:ON}
InvSt=enum16{0:OFF,1:SLEEPING,2:STARTING,3:RUNNING,4:THROTTLED,5:SHUTTING_DOWN,6:FAULT,7:STANDBY}
ConnSt=enum16{0:DISCONNECTED,1:CONNECTED} Alrm=bitfield32 DERMode=bitfield32 W=int16*W_SF[W] VA=int16*VA_SF[VA]
Var=int16*Var_SF[Var] PF=int16*PF_SF A=int16*A_SF[A] LLV=uint16*V_SF[V] LNV=uint16*V_SF[V] Hz=uint32*Hz_SF[Hz]
TotWhInj=uint64*TotWh_SF[Wh] TotWhAbs=uint64*TotWh_SF[Wh] TotVarhInj=uint64*TotVarh_SF[Varh]
TotVarhAbs=uint64*TotVarh_SF[Varh] TmpAmb=int16*Tmp_SF[C] TmpCab=int16*Tmp_SF[C] TmpSnk=int16*Tmp_SF[C]
TmpTrns=int16*Tmp_SF[C] TmpSw=int16*Tmp_SF[C] TmpOt=int16*Tmp_SF[C] WL1=int16*W_SF[W] VAL1=int16*VA_SF[VA]
VarL1=int16*Var_SF[Var] PFL1=int16*PF_SF AL1=int16*A_SF[A] VL1L2=uint16*V_SF[V] VL1=uint16*V_SF[V]
TotWhInjL1=uint64*TotWh_SF[Wh] TotWhAbsL1=uint64*TotWh_SF[Wh] TotVarhInjL1=uint64*TotVarh_SF[Varh]
TotVarhAbsL1=uint64*TotVarh_SF[Varh] WL2=int16*W_SF[W] VAL2=int16*VA_SF[VA] VarL2=int16*Var_SF[Var] PFL2=int16*PF_SF
AL2=int16*A_SF[A] VL2L3=uint16*V_SF[V] VL2=uint16*V_SF[V] TotWhInjL2=uint64*TotWh_SF[Wh]
TotWhAbsL2=uint64*TotWh_SF[Wh] TotVarhInjL2=uint64*TotVarh_SF[Varh] TotVarhAbsL2=uint64*TotVarh_SF[Varh]
WL3=int16*W_SF[W] VAL3=int16*VA_SF[VA] VarL3=int16*Var_SF[Var] PFL3=int16*PF_SF AL3=int16*A_SF[A] VL3L1=uint16*V_SF[V]
VL3=uint16*V_SF[V] TotWhInjL3=uint64*TotWh_SF[Wh] TotWhAbsL3=uint64*TotWh_SF[Wh] TotVarhInjL3=uint64*TotVarh_SF[Varh]
TotVarhAbsL3=uint64*TotVarh_SF[Varh] ThrotPct=uint16[Pct] ThrotSrc=bitfield32 A_SF=sunssf V_SF=sunssf Hz_SF=sunssf
W_SF=sunssf PF_SF=sunssf VA_SF=sunssf Var_SF=sunssf TotWh_SF=sunssf TotVarh_SF=sunssf Tmp_SF=sunssf
MnAlrmInfo=string/32
# 702 DERCapacity
ID=uint16 L=uint16 WMaxRtg=uint16*W_SF[W] WOvrExtRtg=uint16*W_SF[W] WOvrExtRtgPF=uint16*PF_SF
WUndExtRtg=uint16*W_SF[W] WUndExtRtgPF=uint16*PF_SF VAMaxRtg=uint16*VA_SF[VA] VarMaxInjRtg=uint16*Var_SF[Var]
VarMaxAbsRtg=uint16*Var_SF[Var] WChaRteMaxRtg=uint16*W_SF[W] WDisChaRteMaxRtg=uint16*W_SF[W]
VAChaRteMaxRtg=uint16*VA_SF[VA] VADisChaRteMaxRtg=uint16*VA_SF[VA] VNomRtg=uint16*V_SF[V] VMaxRtg=uint16*V_SF[V]
VMinRtg=uint16*V_SF[V] AMaxRtg=uint16*A_SF[A] PFOvrExtRtg=uint16*PF_SF PFUndExtRtg=uint16*PF_SF
ReactSusceptRtg=uint16*S_SF[S] NorOpCatRtg=enum16{0:CAT_A,1:CAT_B} AbnOpCatRtg=enum16{0:CAT_1,1:CAT_2,2:CAT_3}
CtrlModes=bitfield32 IntIslandCatRtg=bitfield16 WMax=uint16*W_SF[W]! WMaxOvrExt=uint16*W_SF[W]!
WOvrExtPF=uint16*PF_SF! WMaxUndExt=uint16*W_SF[W]! WUndExtPF=uint16*PF_SF! VAMax=uint16*VA_SF[VA]!
VarMaxInj=uint16*Var_SF[Var]! VarMaxAbs=uint16*Var_SF[Var]! WChaRteMax=uint16*W_SF[W]! WDisChaRteMax=uint16*W_SF[W]!
VAChaRteMax=uint16*VA_SF[VA]! VADisChaRteMax=uint16*VA_SF[VA]! VNom=uint16*V_SF[V]! VMax=uint16*V_SF[V]!
VMin=uint16*V_SF[V]! AMax=uint16*A_SF[A]! PFOvrExt=uint16*PF_SF! PFUndExt=uint16*PF_SF! IntIslandCat=bitfield16!
W_SF=sunssf PF_SF=sunssf VA_SF=sunssf Var_SF=sunssf V_SF=sunssf A_SF=sunssf S_SF=sunssf
# 703 DEREnterService
ID=uint16 L=uint16 ES=enum16!{0:DISABLED,1:ENABLED} ESVHi=uint16*V_SF[Pct]! ESVLo=uint16*V_SF[Pct]!
ESHzHi=uint32*Hz_SF[Hz]! ESHzLo=uint32*Hz_SF[Hz]! ESDlyTms=uint32[Secs]! ESRndTms=uint32[Secs]! ESRmpTms=uint32[Secs]!
ESDlyRemTms=uint32[Secs] V_SF=sunssf Hz_SF=sunssf
# 704 DERCtlAC
ID=uint16 L=uint16 PFWInjEna=enum16!{0:DISABLED,1:ENABLED} PFWInjEnaRvrt=enum16!{0:DISABLED,1:ENABLED}
PFWInjRvrtTms=uint32[Secs]! PFWInjRvrtRem=uint32[Secs] PFWAbsEna=enum16!{0:DISABLED,1:ENABLED}
PFWAbsEnaRvrt=enum16!{0:DISABLED,1:ENABLED} PFWAbsRvrtTms=uint32[Secs]! PFWAbsRvrtRem=uint32[Secs]
WMaxLimPctEna=enum16!{0:DISABLED,1:ENABLED} WMaxLimPct=uint16*WMaxLimPct_SF[Pct]!
WMaxLimPctRvrt=uint16*WMaxLimPct_SF[Pct]! WMaxLimPctEnaRvrt=enum16!{0:DISABLED,1:ENABLED}
WMaxLimPctRvrtTms=uint32[Secs]! WMaxLimPctRvrtRem=uint32[Secs] WSetEna=enum16!{0:DISABLED,1:ENABLED}
WSetMod=enum16!{0:W_MAX_PCT,1:WATTS} WSet=int32*WSet_SF[W]! WSetRvrt=int32*WSet_SF[W]! WSetPct=int16*WSetPct_SF[Pct]!
WSetPctRvrt=int16*WSetPct_SF[Pct]! WSetEnaRvrt=enum16!{0:DISABLED,1:ENABLED} WSetRvrtTms=uint32[Secs]!
WSetRvrtRem=uint32[Secs] VarSetEna=enum16!{0:DISABLED,1:ENABLED}
VarSetMod=enum16!{0:W_MAX_PCT,1:VAR_MAX_PCT,2:VAR_AVAIL_PCT,3:VA_MAX_PCT,4:VARS}
VarSetPri=enum16!{0:ACTIVE,1:REACTIVE,2:VENDOR} VarSet=int32*VarSet_SF[Var]! VarSetRvrt=int32*VarSet_SF[Var]!
VarSetPct=int16*VarSetPct_SF[Pct]! VarSetPctRvrt=int16*VarSetPct_SF[Pct]! VarSetEnaRvrt=enum16!{0:DISABLED,1:ENABLED}
VarSetRvrtTms=uint32[Secs]! VarSetRvrtRem=uint32[Secs] WRmp=uint16[%Max/Sec]! WRmpRef=enum16!{0:A_MAX,1:W_MAX}
VarRmp=uint16[%Max/Sec]! AntiIslEna=enum16!{0:DISABLED,1:ENABLED} PF_SF=sunssf WMaxLimPct_SF=sunssf WSet_SF=sunssf
WSetPct_SF=sunssf VarSet_SF=sunssf VarSetPct_SF=sunssf
> PFWInj
PF=uint16*PF_SF! Ext=enum16!{0:OVER_EXCITED,1:UNDER_EXCITED}
> PFWInjRvrt
PF=uint16*PF_SF! Ext=enum16!{0:OVER_EXCITED,1:UNDER_EXCITED}
> PFWAbs
PF=uint16*PF_SF! Ext=enum16!{0:OVER_EXCITED,1:UNDER_EXCITED}
> PFWAbsRvrt
PF=uint16*PF_SF! Ext=enum16!{0:OVER_EXCITED,1:UNDER_EXCITED}
# 705 DERVoltVar
ID=uint16 L=uint16 Ena=enum16!{0:DISABLED,1:ENABLED} AdptCrvReq=uint16!
AdptCrvRslt=enum16{0:IN_PROGRESS,1:COMPLETED,2:FAILED} NPt=uint16 NCrv=uint16 RvrtTms=uint32[Secs]!
RvrtRem=uint32[Secs] RvrtCrv=uint16! V_SF=sunssf DeptRef_SF=sunssf RspTms_SF=sunssf
> Crv NCrv
ActPt=uint16! DeptRef=enum16!{0:W_MAX_PCT,1:VAR_MAX_PCT,2:VAR_AVAL_PCT,3:VA_MAX_PCT}
Pri=enum16!{0:ACTIVE,1:REACTIVE,2:VENDOR} VRef=uint16*V_SF[VNomPct]! VRefAuto=uint16*V_SF[VNomPct]
VRefAutoEna=enum16!{0:DISABLED,1:ENABLED} VRefAutoTms=uint16[Secs]! RspTms=uint32*RspTms_SF[Secs]!
ReadOnly=enum16{0:RW,1:R}
>> Pt NPt
V=uint16*V_SF[VNomPct]! Var=int16*DeptRef_SF[DeptRef]!
# 706 DERVoltWatt
ID=uint16 L=uint16 Ena=enum16!{0:DISABLED,1:ENABLED} AdptCrvReq=uint16!
AdptCrvRslt=enum16{0:IN_PROGRESS,1:COMPLETED,2:FAILED} NPt=uint16 NCrv=uint16 RvrtTms=uint32[Secs]!
RvrtRem=uint32[Secs] RvrtCrv=uint16! V_SF=sunssf DeptRef_SF=sunssf RspTms_SF=sunssf
> Crv NCrv
ActPt=uint16! DeptRef=enum16!{0:W_MAX_PCT,1:W_AVAL_PCT} RspTms=uint32*RspTms_SF[Secs]! ReadOnly=enum16{0:RW,1:R}
>> Pt NPt
V=uint16*V_SF[VNomPct]! W=int16*DeptRef_SF[DeptRef]!
# 707 DERTripLV, 708 DERTripHV
ID=uint16 L=uint16 Ena=enum16!{0:DISABLED,1:ENABLED} AdptCrvReq=uint16!
AdptCrvRslt=enum16{0:IN_PROGRESS,1:COMPLETED,2:FAILED} NPt=uint16 NCrvSet=uint16 V_SF=sunssf Tms_SF=sunssf
> Crv NCrvSet
ReadOnly=enum16{0:RW,1:R}
>> MustTrip
ActPt=uint16!
>>> Pt NPt
V=uint16*V_SF[VNomPct]! Tms=uint32*Tms_SF[Secs]!
>> MayTrip
ActPt=uint16!
>>> Pt NPt
V=uint16*V_SF[VNomPct]! Tms=uint32*Tms_SF[Secs]!
>> MomCess
ActPt=uint16!
>>> Pt NPt
V=uint16*V_SF[VNomPct]! Tms=uint32*Tms_SF[Secs]!
# 709 DERTripLF, 710 DERTripHF
ID=uint16 L=uint16 Ena=enum16!{0:DISABLED,1:ENABLED} AdptCrvReq=uint16!
AdptCrvRslt=enum16{0:IN_PROGRESS,1:COMPLETED,2:FAILED} NPt=uint16 NCrvSet=uint16 Hz_SF=sunssf Tms_SF=sunssf
> Crv NCrvSet
ReadOnly=enum16{0:RW,1:R}
>> MustTrip
ActPt=uint16!
>>> Pt NPt
Hz=uint32*Hz_SF[Hz]! Tms=uint32*Tms_SF[Secs]!
>> MayTrip
ActPt=uint16!
>>> Pt NPt
Hz=uint32*Hz_SF[Hz]! Tms=uint32*Tms_SF[Secs]!
>> MomCess
ActPt=uint16!
>>> Pt NPt
Hz=uint32*Hz_SF[Hz]! Tms=uint32*Tms_SF[Secs]!
# 711 DERFreqDroop
ID=uint16 L=uint16 Ena=enum16!{0:DISABLED,1:ENABLED} AdptCtlReq=uint16!
AdptCtlRslt=enum16{0:IN_PROGRESS,1:COMPLETED,2:FAILED} NCtl=uint16 RvrtTms=uint32[Secs]! RvrtRem=uint32[Secs]
RvrtCtl=uint16! Db_SF=sunssf K_SF=sunssf RspTms_SF=sunssf
> Ctl NCtl
DbOf=uint32*Db_SF[Hz]! DbUf=uint32*Db_SF[Hz]! KOf=uint16*K_SF! KUf=uint16*K_SF! RspTms=uint32*RspTms_SF[Secs]!
PMin=int16[Pct]! ReadOnly=enum16{0:RW,1:R}
# 712 DERWattVar
ID=uint16 L=uint16 Ena=enum16!{0:DISABLED,1:ENABLED} AdptCrvReq=uint16!
AdptCrvRslt=enum16{0:IN_PROGRESS,1:COMPLETED,2:FAILED} NPt=uint16 NCrv=uint16 RvrtTms=uint32[Secs]!
RvrtRem=uint32[Secs] RvrtCrv=uint16! W_SF=sunssf DeptRef_SF=sunssf
> Crv NCrv
ActPt=uint16! DeptRef=enum16!{0:W_MAX_PCT,1:VAR_MAX_PCT,2:VAR_AVAL_PCT,3:VA_MAX_PCT} Pri=enum16!{0:ACTIVE,1:REACTIVE}
ReadOnly=enum16{0:RW,1:R}
>> Pt NPt
W=int16*W_SF[WMaxPct]! Var=int16*DeptRef_SF[VarPct]!
# 713 DERStorageCapacity
ID=uint16 L=uint16 WHRtg=uint16*WH_SF[WH] WHAvail=uint16*WH_SF[WH] SoC=uint16*Pct_SF[Pct] SoH=uint16*Pct_SF[Pct]
Sta=enum16{0:OK,1:WARNING,2:ERROR} WH_SF=sunssf Pct_SF=sunssf
# 714 DERMeasureDC
ID=uint16 L=uint16 PrtAlrms=bitfield32 NPrt=uint16 DCA=int16*DCA_SF[A] DCW=int16*DCW_SF[W] DCWhInj=uint64*DCWH_SF[Wh]
DCWhAbs=uint64*DCWH_SF[Wh] DCA_SF=sunssf DCV_SF=sunssf DCW_SF=sunssf DCWH_SF=sunssf Tmp_SF=sunssf
> Prt NPrt
PrtTyp=enum16{0:PV,1:ESS,2:EV,3:INJ,4:ABS,5:BIDIR,6:DC_DC} ID=uint16 IDStr=string/8 DCA=int16*DCA_SF[A]
DCV=uint16*DCV_SF[V] DCW=int16*DCW_SF[W] DCWhInj=uint64*DCWH_SF[Wh] DCWhAbs=uint64*DCWH_SF[Wh] Tmp=int16*Tmp_SF[C]
DCSta=enum16{0:OFF,1:ON,2:WARNING,3:ERROR} DCAlrm=bitfield32
# 802 battery
ID=uint16 L=uint16 AHRtg=uint16*AHRtg_SF[Ah] WHRtg=uint16*WHRtg_SF[Wh] WChaRteMax=uint16*WChaDisChaMax_SF[W]
WDisChaRteMax=uint16*WChaDisChaMax_SF[W] DisChaRte=uint16*DisChaRte_SF[%WHRtg] SoCMax=uint16*SoC_SF[%WHRtg]
SoCMin=uint16*SoC_SF[%WHRtg] SocRsvMax=uint16*SoC_SF[%WHRtg]! SoCRsvMin=uint16*SoC_SF[%WHRtg]!
SoC=uint16*SoC_SF[%WHRtg] DoD=uint16*DoD_SF[%] SoH=uint16*SoH_SF[%] NCyc=uint32
ChaSt=enum16{1:OFF,2:EMPTY,3:DISCHARGING,4:CHARGING,5:FULL,6:HOLDING,7:TESTING} LocRemCtl=enum16{0:REMOTE,1:LOCAL}
Hb=uint16 CtrlHb=uint16! AlmRst=uint16!
Typ=enum16{0:NOT_APPLICABLE_UNKNOWN,1:LEAD_ACID,2:NICKEL_METAL_HYDRATE,3:NICKEL_CADMIUM,4:LITHIUM_ION,5:CARBON_ZINC,6:ZINC_CHLORIDE,7:ALKALINE,8:RECHARGEABLE_ALKALINE,9:SODIUM_SULFUR,10:FLOW,99:OTHER}
State=enum16{1:DISCONNECTED,2:INITIALIZING,3:CONNECTED,4:STANDBY,5:SOC_PROTECTION,6:SUSPENDING,99:FAULT}
StateVnd=enum16 WarrDt=uint32 Evt1=bitfield32 Evt2=bitfield32 EvtVnd1=bitfield32 EvtVnd2=bitfield32 V=uint16*V_SF[V]
VMax=uint16*V_SF[V] VMin=uint16*V_SF[V] CellVMax=uint16*CellV_SF[V] CellVMaxStr=uint16 CellVMaxMod=uint16
CellVMin=uint16*CellV_SF[V] CellVMinStr=uint16 CellVMinMod=uint16 CellVAvg=uint16*CellV_SF[V] A=int16*A_SF[A]
AChaMax=uint16*AMax_SF[A] ADisChaMax=uint16*AMax_SF[A] W=int16*W_SF[W] ReqInvState=enum16{0:NO_REQUEST,1:START,2:STOP}
ReqW=int16*W_SF[W] SetOp=enum16!{1:CONNECT,2:DISCONNECT}
SetInvState=enum16!{1:INVERTER_STOPPED,2:INVERTER_STANDBY,3:INVERTER_STARTED} AHRtg_SF=sunssf WHRtg_SF=sunssf
WChaDisChaMax_SF=sunssf DisChaRte_SF=sunssf SoC_SF=sunssf DoD_SF=sunssf SoH_SF=sunssf V_SF=sunssf CellV_SF=sunssf
A_SF=sunssf AMax_SF=sunssf W_SF=sunssf
# 803 lithium_ion_bank
ID=uint16 L=uint16 NStr=uint16 NStrCon=uint16 ModTmpMax=int16*ModTmp_SF[C] ModTmpMaxStr=uint16 ModTmpMaxMod=uint16
ModTmpMin=int16*ModTmp_SF[C] ModTmpMinStr=uint16 ModTmpMinMod=uint16 ModTmpAvg=int16*ModTmp_SF[C]
StrVMax=uint16*V_SF[V] StrVMaxStr=uint16 StrVMin=uint16*V_SF[V] StrVMinStr=uint16 StrVAvg=uint16*V_SF[V]
StrAMax=int16*A_SF[A] StrAMaxStr=uint16 StrAMin=int16*A_SF[A] StrAMinStr=uint16 StrAAvg=int16*A_SF[A] NCellBal=uint16
CellV_SF=sunssf ModTmp_SF=sunssf A_SF=sunssf SoH_SF=sunssf SoC_SF=sunssf V_SF=sunssf
> string NStr
StrNMod=uint16 StrSt=bitfield32
StrConFail=enum16{0:NO_FAILURE,1:BUTTON_PUSHED,2:STR_GROUND_FAULT,3:OUTSIDE_VOLTAGE_RANGE,4:STRING_NOT_ENABLED,5:FUSE_OPEN,6:CONTACTOR_FAILURE,7:PRECHARGE_FAILURE,8:STRING_FAULT}
StrSoC=uint16*SoC_SF[%] StrSoH=uint16*SoH_SF[%] StrA=int16*A_SF[A] StrCellVMax=uint16*CellV_SF[V]
StrCellVMaxMod=uint16 StrCellVMin=uint16*CellV_SF[V] StrCellVMinMod=uint16 StrCellVAvg=uint16*CellV_SF[V]
StrModTmpMax=int16*ModTmp_SF[C] StrModTmpMaxMod=uint16 StrModTmpMin=int16*ModTmp_SF[C] StrModTmpMinMod=uint16
StrModTmpAvg=int16*ModTmp_SF[C] StrDisRsn=enum16{0:NONE,1:FAULT,2:MAINTENANCE,3:EXTERNAL,4:OTHER} StrConSt=bitfield32
StrEvt1=bitfield32 StrEvt2=bitfield32 StrEvtVnd1=bitfield32 StrEvtVnd2=bitfield32
StrSetEna=enum16!{1:ENABLE_STRING,2:DISABLE_STRING} StrSetCon=enum16!{1:CONNECT_STRING,2:DISCONNECT_STRING} Pad1=pad
Pad2=pad
# 804 lithium_ion_string
ID=uint16 L=uint16 Idx=uint16 NMod=uint16 St=bitfield32
ConFail=enum16{0:NO_FAILURE,1:BUTTON_PUSHED,2:STR_GROUND_FAULT,3:OUTSIDE_VOLTAGE_RANGE,4:STRING_NOT_ENABLED,5:FUSE_OPEN,6:CONTACTOR_FAILURE,7:PRECHARGE_FAILURE,8:STRING_FAULT}
NCellBal=uint16 SoC=uint16*SoC_SF[%] DoD=uint16*DoD_SF[%] NCyc=uint32 SoH=uint16*SoH_SF[%] A=int16*A_SF[A]
V=uint16*V_SF[V] CellVMax=uint16*CellV_SF[V] CellVMaxMod=uint16 CellVMin=uint16*CellV_SF[V] CellVMinMod=uint16
CellVAvg=uint16*CellV_SF[V] ModTmpMax=int16*ModTmp_SF[C] ModTmpMaxMod=uint16 ModTmpMin=int16*ModTmp_SF[C]
ModTmpMinMod=uint16 ModTmpAvg=int16*ModTmp_SF[C] Pad1=pad ConSt=bitfield32 Evt1=bitfield32 Evt2=bitfield32
EvtVnd1=bitfield32 EvtVnd2=bitfield32 SetEna=enum16! SetCon=enum16!{1:CONNECT_STRING,2:DISCONNECT_STRING}
SoC_SF=sunssf SoH_SF=sunssf DoD_SF=sunssf A_SF=sunssf V_SF=sunssf CellV_SF=sunssf ModTmp_SF=sunssf Pad2=pad Pad3=pad
Pad4=pad
> lithium_ion_string_module NMod
ModNCell=uint16 ModSoC=uint16*SoC_SF[%] ModSoH=uint16*SoH_SF[%] ModCellVMax=uint16*CellV_SF[V] ModCellVMaxCell=uint16
ModCellVMin=uint16*CellV_SF[V] ModCellVMinCell=uint16 ModCellVAvg=uint16*CellV_SF[V] ModCellTmpMax=int16*ModTmp_SF[C]
ModCellTmpMaxCell=uint16 ModCellTmpMin=int16*ModTmp_SF[C] ModCellTmpMinCell=uint16 ModCellTmpAvg=int16*ModTmp_SF[C]
Pad5=pad Pad6=pad Pad7=pad
`
