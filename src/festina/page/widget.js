//#region ../../../main/web/node_modules/uplot/dist/uPlot.min.css?inline
var e = !0, t = "uplot", n = "u-hz", r = "u-vt", i = "u-title", a = "u-wrap", o = "u-under", s = "u-over", c = "u-axis", l = "u-off", u = "u-select", d = "u-cursor-x", f = "u-cursor-y", p = "u-cursor-pt", m = "u-legend", h = "u-live", g = "u-inline", _ = "u-series", v = "u-marker", y = "u-label", b = "u-value", x = "width", S = "height", C = "top", w = "bottom", T = "left", E = "right", D = "#000", ee = "#0000", te = "mousemove", ne = "mousedown", re = "mouseup", ie = "mouseenter", ae = "mouseleave", oe = "dblclick", se = "resize", O = "scroll", k = "change", ce = "dppxchange", le = "--", A = typeof window < "u", ue = A ? document : null, de = A ? window : null, j = A ? navigator : null, M, fe;
function pe() {
	let e = devicePixelRatio;
	M != e && (M = e, fe && Ee(k, fe, pe), fe = matchMedia(`(min-resolution: ${M - .001}dppx) and (max-resolution: ${M + .001}dppx)`), Te(k, fe, pe), de.dispatchEvent(new CustomEvent(ce)));
}
function me(e, t) {
	if (t != null) {
		let n = e.classList;
		!n.contains(t) && n.add(t);
	}
}
function he(e, t) {
	let n = e.classList;
	n.contains(t) && n.remove(t);
}
function N(e, t, n) {
	e.style[t] = n + "px";
}
function ge(e, t, n, r) {
	let i = ue.createElement(e);
	return t != null && me(i, t), n?.insertBefore(i, r), i;
}
function _e(e, t) {
	return ge("div", e, t);
}
var ve = /* @__PURE__ */ new WeakMap();
function ye(e, t, n, r, i) {
	let a = "translate(" + t + "px," + n + "px)";
	a != ve.get(e) && (e.style.transform = a, ve.set(e, a), t < 0 || n < 0 || t > r || n > i ? me(e, l) : he(e, l));
}
var be = /* @__PURE__ */ new WeakMap();
function xe(e, t, n) {
	let r = t + n;
	r != be.get(e) && (be.set(e, r), e.style.background = t, e.style.borderColor = n);
}
var P = /* @__PURE__ */ new WeakMap();
function Se(e, t, n, r) {
	let i = t + "" + n;
	i != P.get(e) && (P.set(e, i), e.style.height = n + "px", e.style.width = t + "px", e.style.marginLeft = r ? -t / 2 + "px" : 0, e.style.marginTop = r ? -n / 2 + "px" : 0);
}
var Ce = { passive: !0 }, we = {
	...Ce,
	capture: !0
};
function Te(e, t, n, r) {
	t.addEventListener(e, n, r ? we : Ce);
}
function Ee(e, t, n, r) {
	t.removeEventListener(e, n, Ce);
}
A && pe();
function De(e, t, n, r) {
	let i;
	n ||= 0, r ||= t.length - 1;
	let a = r <= 2147483647;
	for (; r - n > 1;) i = a ? n + r >> 1 : Ge((n + r) / 2), t[i] < e ? n = i : r = i;
	return e - t[n] <= t[r] - e ? n : r;
}
function Oe(e) {
	return (t, n, r) => {
		let i = -1, a = -1;
		for (let a = n; a <= r; a++) if (e(t[a])) {
			i = a;
			break;
		}
		for (let i = r; i >= n; i--) if (e(t[i])) {
			a = i;
			break;
		}
		return [i, a];
	};
}
var ke = (e) => e != null, Ae = (e) => e != null && e > 0, je = Oe(ke), F = Oe(Ae);
function Me(e, t, n, r = 0, i = !1) {
	let a = i ? F : je, o = i ? Ae : ke;
	[t, n] = a(e, t, n);
	let s = e[t], c = e[t];
	if (t > -1) {
		if (r == 1) s = e[t], c = e[n];
		else if (r == -1) s = e[n], c = e[t];
		else for (let r = t; r <= n; r++) {
			let t = e[r];
			o(t) && (t < s ? s = t : t > c && (c = t));
		}
	}
	return [s ?? tt, c ?? -tt];
}
function Ne(e, t, n, r) {
	let i = Ze(e), a = Ze(t);
	e == t && (i == -1 ? (e *= n, t /= n) : (e /= n, t *= n));
	let o = n == 10 ? Qe : z, s = i == 1 ? Ge : qe, c = a == 1 ? qe : Ge, l = s(o(We(e))), u = c(o(We(t))), d = Xe(n, l), f = Xe(n, u);
	return n == 10 && (l < 0 && (d = V(d, -l)), u < 0 && (f = V(f, -u))), r || n == 2 ? (e = d * i, t = f * a) : (e = ht(e, d), t = mt(t, f)), [e, t];
}
function Pe(e, t, n, r) {
	let i = Ne(e, t, n, r);
	return e == 0 && (i[0] = 0), t == 0 && (i[1] = 0), i;
}
var Fe = .1, Ie = {
	mode: 3,
	pad: Fe
}, Le = {
	pad: 0,
	soft: null,
	mode: 0
}, I = {
	min: Le,
	max: Le
};
function Re(e, t, n, r) {
	return Et(n) ? Be(e, t, n) : (Le.pad = n, Le.soft = r ? 0 : null, Le.mode = r ? 3 : 0, Be(e, t, I));
}
function L(e, t) {
	return e ?? t;
}
function ze(e, t, n) {
	for (t = L(t, 0), n = L(n, e.length - 1); t <= n;) {
		if (e[t] != null) return !0;
		t++;
	}
	return !1;
}
function Be(e, t, n) {
	let r = n.min, i = n.max, a = L(r.pad, 0), o = L(i.pad, 0), s = L(r.hard, -tt), c = L(i.hard, tt), l = L(r.soft, tt), u = L(i.soft, -tt), d = L(r.mode, 0), f = L(i.mode, 0), p = t - e, m = Qe(p), h = Ye(We(e), We(t)), g = We(Qe(h) - m);
	(p < 1e-24 || g > 10) && (p = 0, (e == 0 || t == 0) && (p = 1e-24, d == 2 && l != tt && (a = 0), f == 2 && u != -tt && (o = 0)));
	let _ = p || h || 1e3, v = Xe(10, Ge(Qe(_))), y = V(ht(e - _ * (p == 0 ? e == 0 ? .1 : 1 : a), v / 10), 24), b = e >= l && (d == 1 || d == 3 && y <= l || d == 2 && y >= l) ? l : tt, x = Ye(s, y < b && e >= b ? b : Je(b, y)), S = V(mt(t + _ * (p == 0 ? t == 0 ? .1 : 1 : o), v / 10), 24), C = t <= u && (f == 1 || f == 3 && S >= u || f == 2 && S <= u) ? u : -tt, w = Je(c, S > C && t <= C ? C : Ye(C, S));
	return x == w && x == 0 && (w = 100), [x, w];
}
var R = new Intl.NumberFormat(A ? j.language : "en-US"), Ve = (e) => R.format(e), He = Math, Ue = He.PI, We = He.abs, Ge = He.floor, Ke = He.round, qe = He.ceil, Je = He.min, Ye = He.max, Xe = He.pow, Ze = He.sign, Qe = He.log10, z = He.log2, $e = (e, t = 1) => He.sinh(e) * t, et = (e, t = 1) => He.asinh(e / t), tt = Infinity;
function nt(e) {
	return (Qe((e ^ e >> 31) - (e >> 31)) | 0) + 1;
}
function rt(e, t, n) {
	return Je(Ye(e, t), n);
}
function it(e) {
	return typeof e == "function";
}
function B(e) {
	return it(e) ? e : () => e;
}
var at = () => {}, ot = (e) => e, st = (e, t) => t, ct = (e) => null, lt = (e) => !0, ut = (e, t) => e == t, dt = /\.\d*?(?=9{6,}|0{6,})/gm, ft = (e) => {
	if (Ct(e) || gt.has(e)) return e;
	let t = `${e}`, n = t.match(dt);
	if (n == null) return e;
	let r = n[0].length - 1;
	if (t.indexOf("e-") != -1) {
		let [e, n] = t.split("e");
		return +`${ft(e)}e${n}`;
	}
	return V(e, r);
};
function pt(e, t) {
	return ft(V(ft(e / t)) * t);
}
function mt(e, t) {
	return ft(qe(ft(e / t)) * t);
}
function ht(e, t) {
	return ft(Ge(ft(e / t)) * t);
}
function V(e, t = 0) {
	if (Ct(e)) return e;
	let n = 10 ** t;
	return Ke(e * n * (1 + 2 ** -52)) / n;
}
var gt = /* @__PURE__ */ new Map();
function _t(e) {
	return (("" + e).split(".")[1] || "").length;
}
function vt(e, t, n, r) {
	let i = [], a = r.map(_t);
	for (let o = t; o < n; o++) {
		let t = We(o), n = V(Xe(e, o), t);
		for (let s = 0; s < r.length; s++) {
			let c = e == 10 ? +`${r[s]}e${o}` : r[s] * n, l = (o >= 0 ? 0 : t) + (o >= a[s] ? 0 : a[s]), u = e == 10 ? c : V(c, l);
			i.push(u), gt.set(u, l);
		}
	}
	return i;
}
var yt = {}, bt = [], xt = [null, null], St = Array.isArray, Ct = Number.isInteger, wt = (e) => e === void 0;
function Tt(e) {
	return typeof e == "string";
}
function Et(e) {
	let t = !1;
	if (e != null) {
		let n = e.constructor;
		t = n == null || n == Object;
	}
	return t;
}
function Dt(e) {
	return typeof e == "object" && !!e;
}
var Ot = Object.getPrototypeOf(Uint8Array), kt = "__proto__";
function At(e, t = Et) {
	let n;
	if (St(e)) {
		let r = e.find((e) => e != null);
		if (St(r) || t(r)) {
			n = Array(e.length);
			for (let r = 0; r < e.length; r++) n[r] = At(e[r], t);
		} else n = e.slice();
	} else if (e instanceof Ot) n = e.slice();
	else if (t(e)) {
		n = {};
		for (let r in e) r != kt && (n[r] = At(e[r], t));
	} else n = e;
	return n;
}
function jt(e) {
	let t = arguments;
	for (let n = 1; n < t.length; n++) {
		let r = t[n];
		for (let t in r) t != kt && (Et(e[t]) ? jt(e[t], At(r[t])) : e[t] = At(r[t]));
	}
	return e;
}
var H = 0, Mt = 1, Nt = 2;
function Pt(e, t, n) {
	for (let r = 0, i, a = -1; r < t.length; r++) {
		let o = t[r];
		if (o > a) {
			for (i = o - 1; i >= 0 && e[i] == null;) e[i--] = null;
			for (i = o + 1; i < n && e[i] == null;) e[a = i++] = null;
		}
	}
}
function Ft(e, t) {
	if (Rt(e)) {
		let t = e[0].slice();
		for (let n = 1; n < e.length; n++) t.push(...e[n].slice(1));
		return zt(t[0]) || (t = Lt(t)), t;
	}
	let n = /* @__PURE__ */ new Set();
	for (let t = 0; t < e.length; t++) {
		let r = e[t][0], i = r.length;
		for (let e = 0; e < i; e++) n.add(r[e]);
	}
	let r = [Array.from(n).sort((e, t) => e - t)], i = r[0].length, a = /* @__PURE__ */ new Map();
	for (let e = 0; e < i; e++) a.set(r[0][e], e);
	for (let n = 0; n < e.length; n++) {
		let o = e[n], s = o[0];
		for (let e = 1; e < o.length; e++) {
			let c = o[e], l = Array(i).fill(void 0), u = t ? t[n][e] : Mt, d = [];
			for (let e = 0; e < c.length; e++) {
				let t = c[e], n = a.get(s[e]);
				t === null ? u != H && (l[n] = t, u == Nt && d.push(n)) : l[n] = t;
			}
			Pt(l, d, i), r.push(l);
		}
	}
	return r;
}
var It = typeof queueMicrotask > "u" ? (e) => Promise.resolve().then(e) : queueMicrotask;
function Lt(e) {
	let t = e[0], n = t.length, r = Array(n);
	for (let e = 0; e < r.length; e++) r[e] = e;
	r.sort((e, n) => t[e] - t[n]);
	let i = [];
	for (let t = 0; t < e.length; t++) {
		let a = e[t], o = Array(n);
		for (let e = 0; e < n; e++) o[e] = a[r[e]];
		i.push(o);
	}
	return i;
}
function Rt(e) {
	let t = e[0][0], n = t.length;
	for (let r = 1; r < e.length; r++) {
		let i = e[r][0];
		if (i.length != n) return !1;
		if (i != t) {
			for (let e = 0; e < n; e++) if (i[e] != t[e]) return !1;
		}
	}
	return !0;
}
function zt(e, t = 100) {
	let n = e.length;
	if (n <= 1) return !0;
	let r = 0, i = n - 1;
	for (; r <= i && e[r] == null;) r++;
	for (; i >= r && e[i] == null;) i--;
	if (i <= r) return !0;
	let a = Ye(1, Ge((i - r + 1) / t));
	for (let t = e[r], n = r + a; n <= i; n += a) {
		let r = e[n];
		if (r != null) {
			if (r <= t) return !1;
			t = r;
		}
	}
	return !0;
}
var Bt = [
	"January",
	"February",
	"March",
	"April",
	"May",
	"June",
	"July",
	"August",
	"September",
	"October",
	"November",
	"December"
], Vt = [
	"Sunday",
	"Monday",
	"Tuesday",
	"Wednesday",
	"Thursday",
	"Friday",
	"Saturday"
];
function Ht(e) {
	return e.slice(0, 3);
}
var Ut = Vt.map(Ht), Wt = {
	MMMM: Bt,
	MMM: Bt.map(Ht),
	WWWW: Vt,
	WWW: Ut
};
function Gt(e) {
	return (e < 10 ? "0" : "") + e;
}
function Kt(e) {
	return (e < 10 ? "00" : e < 100 ? "0" : "") + e;
}
var qt = {
	YYYY: (e) => e.getFullYear(),
	YY: (e) => (e.getFullYear() + "").slice(2),
	MMMM: (e, t) => t.MMMM[e.getMonth()],
	MMM: (e, t) => t.MMM[e.getMonth()],
	MM: (e) => Gt(e.getMonth() + 1),
	M: (e) => e.getMonth() + 1,
	DD: (e) => Gt(e.getDate()),
	D: (e) => e.getDate(),
	WWWW: (e, t) => t.WWWW[e.getDay()],
	WWW: (e, t) => t.WWW[e.getDay()],
	HH: (e) => Gt(e.getHours()),
	H: (e) => e.getHours(),
	h: (e) => {
		let t = e.getHours();
		return t == 0 ? 12 : t > 12 ? t - 12 : t;
	},
	AA: (e) => e.getHours() >= 12 ? "PM" : "AM",
	aa: (e) => e.getHours() >= 12 ? "pm" : "am",
	a: (e) => e.getHours() >= 12 ? "p" : "a",
	mm: (e) => Gt(e.getMinutes()),
	m: (e) => e.getMinutes(),
	ss: (e) => Gt(e.getSeconds()),
	s: (e) => e.getSeconds(),
	fff: (e) => Kt(e.getMilliseconds())
};
function Jt(e, t) {
	t ||= Wt;
	let n = [], r = /\{([a-z]+)\}|[^{]+/gi, i;
	for (; i = r.exec(e);) n.push(i[0][0] == "{" ? qt[i[1]] : i[0]);
	return (e) => {
		let r = "";
		for (let i = 0; i < n.length; i++) r += typeof n[i] == "string" ? n[i] : n[i](e, t);
		return r;
	};
}
var Yt = new Intl.DateTimeFormat().resolvedOptions().timeZone;
function Xt(e, t) {
	let n;
	return t == "UTC" || t == "Etc/UTC" ? n = /* @__PURE__ */ new Date(+e + e.getTimezoneOffset() * 6e4) : t == Yt ? n = e : (n = new Date(e.toLocaleString("en-US", { timeZone: t })), n.setMilliseconds(e.getMilliseconds())), n;
}
var Zt = (e) => e % 1 == 0, Qt = [
	1,
	2,
	2.5,
	5
], $t = vt(10, -32, 0, Qt), U = vt(10, 0, 32, Qt), en = U.filter(Zt), tn = $t.concat(U), W = "\n", nn = "{YYYY}", rn = W + nn, an = "{M}/{D}", on = W + an, sn = on + "/{YY}", cn = "{aa}", ln = "{h}:{mm}" + cn, un = W + ln, dn = ":{ss}", G = null;
function fn(e) {
	let t = e * 1e3, n = t * 60, r = n * 60, i = r * 24, a = i * 30, o = i * 365, s = (e == 1 ? vt(10, 0, 3, Qt).filter(Zt) : vt(10, -3, 0, Qt)).concat([
		t,
		t * 5,
		t * 10,
		t * 15,
		t * 30,
		n,
		n * 5,
		n * 10,
		n * 15,
		n * 30,
		r,
		r * 2,
		r * 3,
		r * 4,
		r * 6,
		r * 8,
		r * 12,
		i,
		i * 2,
		i * 3,
		i * 4,
		i * 5,
		i * 6,
		i * 7,
		i * 8,
		i * 9,
		i * 10,
		i * 15,
		a,
		a * 2,
		a * 3,
		a * 4,
		a * 6,
		o,
		o * 2,
		o * 5,
		o * 10,
		o * 25,
		o * 50,
		o * 100
	]), c = [
		[
			o,
			nn,
			G,
			G,
			G,
			G,
			G,
			G,
			1
		],
		[
			i * 28,
			"{MMM}",
			rn,
			G,
			G,
			G,
			G,
			G,
			1
		],
		[
			i,
			an,
			rn,
			G,
			G,
			G,
			G,
			G,
			1
		],
		[
			r,
			"{h}" + cn,
			sn,
			G,
			on,
			G,
			G,
			G,
			1
		],
		[
			n,
			ln,
			sn,
			G,
			on,
			G,
			G,
			G,
			1
		],
		[
			t,
			dn,
			sn + " " + ln,
			G,
			on + " " + ln,
			G,
			un,
			G,
			1
		],
		[
			e,
			dn + ".{fff}",
			sn + " " + ln,
			G,
			on + " " + ln,
			G,
			un,
			G,
			1
		]
	];
	function l(t) {
		return (s, c, l, u, d, f) => {
			let p = [], m = d >= o, h = d >= a && d < o, g = t(l), _ = V(g * e, 3), v = Sn(g.getFullYear(), m ? 0 : g.getMonth(), h || m ? 1 : g.getDate()), y = V(v * e, 3);
			if (h || m) {
				let n = h ? d / a : 0, r = m ? d / o : 0, i = _ == y ? _ : V(Sn(v.getFullYear() + r, v.getMonth() + n, 1) * e, 3), s = new Date(Ke(i / e)), c = s.getFullYear(), l = s.getMonth();
				for (let a = 0; i <= u; a++) {
					let o = Sn(c + r * a, l + n * a, 1), s = o - t(V(o * e, 3));
					i = V((+o + s) * e, 3), i <= u && p.push(i);
				}
			} else {
				let a = d >= i ? i : d, o = y + (Ge(l) - Ge(_)) + mt(_ - y, a);
				p.push(o);
				let m = t(o), h = m.getHours() + m.getMinutes() / n + m.getSeconds() / r, g = d / r, v = f / s.axes[c]._space;
				for (; o = V(o + d, e == 1 ? 0 : 3), !(o > u);) if (g > 1) {
					let e = Ge(V(h + g, 6)) % 24, n = t(o).getHours() - e;
					n > 1 && (n = -1), o -= n * r, h = (h + g) % 24;
					let i = p[p.length - 1];
					V((o - i) / d, 3) * v >= .7 && p.push(o);
				} else p.push(o);
			}
			return p;
		};
	}
	return [
		s,
		c,
		l
	];
}
var [pn, mn, hn] = fn(1), [gn, _n, vn] = fn(.001);
vt(2, -53, 53, [1]);
function yn(e, t) {
	return e.map((e) => e.map((n, r) => r == 0 || r == 8 || n == null ? n : t(r == 1 || e[8] == 0 ? n : e[1] + n)));
}
function bn(e, t) {
	return (n, r, i, a, o) => {
		let s = t.find((e) => o >= e[0]) || t[t.length - 1], c, l, u, d, f, p;
		return r.map((t) => {
			let n = e(t), r = n.getFullYear(), i = n.getMonth(), a = n.getDate(), o = n.getHours(), m = n.getMinutes(), h = n.getSeconds(), g = r != c && s[2] || i != l && s[3] || a != u && s[4] || o != d && s[5] || m != f && s[6] || h != p && s[7] || s[1];
			return c = r, l = i, u = a, d = o, f = m, p = h, g(n);
		});
	};
}
function xn(e, t) {
	let n = Jt(t);
	return (t, r, i, a, o) => r.map((t) => n(e(t)));
}
function Sn(e, t, n) {
	return new Date(e, t, n);
}
function Cn(e, t) {
	return t(e);
}
var wn = "{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function Tn(e, t) {
	return (n, r, i, a) => a == null ? le : t(e(r));
}
function En(e, t) {
	let n = e.series[t];
	return n.width ? n.stroke(e, t) : n.points.width ? n.points.stroke(e, t) : null;
}
function Dn(e, t) {
	return e.series[t].fill(e, t);
}
var On = {
	show: !0,
	live: !0,
	isolate: !1,
	mount: at,
	markers: {
		show: !0,
		width: 2,
		stroke: En,
		fill: Dn,
		dash: "solid"
	},
	idx: null,
	idxs: null,
	values: []
};
function kn(e, t) {
	let n = e.cursor.points, r = _e(), i = n.size(e, t);
	N(r, x, i), N(r, S, i);
	let a = i / -2;
	N(r, "marginLeft", a), N(r, "marginTop", a);
	let o = n.width(e, t, i);
	return o && N(r, "borderWidth", o), r;
}
function An(e, t) {
	let n = e.series[t].points;
	return n._fill || n._stroke;
}
function jn(e, t) {
	let n = e.series[t].points;
	return n._stroke || n._fill;
}
function Mn(e, t) {
	return e.series[t].points.size;
}
var Nn = [0, 0];
function Pn(e, t, n) {
	return Nn[0] = t, Nn[1] = n, Nn;
}
function Fn(e, t, n, r = !0) {
	return (e) => {
		e.button == 0 && (!r || e.target == t) && n(e);
	};
}
function In(e, t, n, r = !0) {
	return (e) => {
		(!r || e.target == t) && n(e);
	};
}
var Ln = {
	show: !0,
	x: !0,
	y: !0,
	lock: !1,
	move: Pn,
	points: {
		one: !1,
		show: kn,
		size: Mn,
		width: 0,
		stroke: jn,
		fill: An
	},
	bind: {
		mousedown: Fn,
		mouseup: Fn,
		click: Fn,
		dblclick: Fn,
		mousemove: In,
		mouseleave: In,
		mouseenter: In
	},
	drag: {
		setScale: !0,
		x: !0,
		y: !1,
		dist: 0,
		uni: null,
		click: (e, t) => {
			t.stopPropagation(), t.stopImmediatePropagation();
		},
		_x: !1,
		_y: !1
	},
	focus: {
		dist: (e, t, n, r, i) => r - i,
		prox: -1,
		bias: 0
	},
	hover: {
		skip: [void 0],
		prox: null,
		bias: 0
	},
	left: -10,
	top: -10,
	idx: null,
	dataIdx: null,
	idxs: null,
	event: null
}, Rn = {
	show: !0,
	stroke: "rgba(0,0,0,0.07)",
	width: 2
}, zn = jt({}, Rn, { filter: st }), Bn = jt({}, zn, { size: 10 }), Vn = jt({}, Rn, { show: !1 }), Hn = "12px system-ui, -apple-system, \"Segoe UI\", Roboto, \"Helvetica Neue\", Arial, \"Noto Sans\", sans-serif, \"Apple Color Emoji\", \"Segoe UI Emoji\", \"Segoe UI Symbol\", \"Noto Color Emoji\"", Un = "bold " + Hn, Wn = 1.5, Gn = {
	show: !0,
	scale: "x",
	stroke: D,
	space: 50,
	gap: 5,
	alignTo: 1,
	size: 50,
	labelGap: 0,
	labelSize: 30,
	labelFont: Un,
	side: 2,
	grid: zn,
	ticks: Bn,
	border: Vn,
	font: Hn,
	lineGap: Wn,
	rotate: 0
}, Kn = "Value", qn = "Time", Jn = {
	show: !0,
	scale: "x",
	auto: !1,
	sorted: 1,
	min: tt,
	max: -Infinity,
	idxs: []
};
function Yn(e, t, n, r, i) {
	return t.map((e) => e == null ? "" : Ve(e));
}
function Xn(e, t, n, r, i, a, o) {
	let s = [], c = gt.get(i) || 0;
	n = o ? n : V(mt(n, i), c);
	for (let e = n; e <= r; e = V(e + i, c)) s.push(Object.is(e, -0) ? 0 : e);
	return s;
}
function Zn(e, t, n, r, i, a, o) {
	let s = [], c = e.scales[e.axes[t].scale].log;
	i = Xe(c, Ge((c == 10 ? Qe : z)(n))), c == 10 && (i = tn[De(i, tn)]);
	let l = n, u = i * c;
	c == 10 && (u = tn[De(u, tn)]);
	do
		s.push(l), l += i, c == 10 && !gt.has(l) && (l = V(l, gt.get(i))), l >= u && (i = l, u = i * c, c == 10 && (u = tn[De(u, tn)]));
	while (l <= r);
	return s;
}
function Qn(e, t, n, r, i, a, o) {
	let s = e.scales[e.axes[t].scale].asinh, c = r > s ? Zn(e, t, Ye(s, n), r, i) : [s], l = r >= 0 && n <= 0 ? [0] : [];
	return (n < -s ? Zn(e, t, Ye(s, -r), -n, i) : [s]).reverse().map((e) => -e).concat(l, c);
}
var $n = /./, er = /[12357]/, tr = /[125]/, nr = /1/, rr = (e, t, n, r) => e.map((e, i) => t == 4 && e == 0 || i % r == 0 && n.test(e.toExponential()[+(e < 0)]) ? e : null);
function ir(e, t, n, r, i) {
	let a = e.axes[n], o = a.scale, s = e.scales[o], c = e.valToPos, l = a._space, u = c(10, o), d = c(9, o) - u >= l ? $n : c(7, o) - u >= l ? er : c(5, o) - u >= l ? tr : nr;
	if (d == nr) {
		let e = We(c(1, o) - u);
		if (e < l) return rr(t.slice().reverse(), s.distr, d, qe(l / e)).reverse();
	}
	return rr(t, s.distr, d, 1);
}
function ar(e, t, n, r, i) {
	let a = e.axes[n], o = a.scale, s = a._space, c = e.valToPos, l = We(c(1, o) - c(2, o));
	return l < s ? rr(t.slice().reverse(), 3, $n, qe(s / l)).reverse() : t;
}
function or(e, t, n, r) {
	return r == null ? le : t == null ? "" : Ve(t);
}
var sr = {
	show: !0,
	scale: "y",
	stroke: D,
	space: 30,
	gap: 5,
	alignTo: 1,
	size: 50,
	labelGap: 0,
	labelSize: 30,
	labelFont: Un,
	side: 3,
	grid: zn,
	ticks: Bn,
	border: Vn,
	font: Hn,
	lineGap: Wn,
	rotate: 0
};
function cr(e, t) {
	return V((3 + (e || 1) * 2) * t, 3);
}
function lr(e, t) {
	let { scale: n, idxs: r } = e.series[0], i = e._data[0], a = e.valToPos(i[r[0]], n, !0), o = We(e.valToPos(i[r[1]], n, !0) - a) / (e.series[t].points.space * M);
	return r[1] - r[0] <= o;
}
var ur = {
	scale: null,
	auto: !0,
	sorted: 0,
	min: tt,
	max: -Infinity
}, dr = (e, t, n, r, i) => i, fr = {
	show: !0,
	auto: !0,
	sorted: 0,
	gaps: dr,
	alpha: 1,
	facets: [jt({}, ur, { scale: "x" }), jt({}, ur, { scale: "y" })]
}, pr = {
	scale: "y",
	auto: !0,
	sorted: 0,
	show: !0,
	spanGaps: !1,
	gaps: dr,
	alpha: 1,
	points: {
		show: lr,
		filter: null
	},
	values: null,
	min: tt,
	max: -Infinity,
	idxs: [],
	path: null,
	clip: null
};
function mr(e, t, n, r, i) {
	return n / 10;
}
var hr = {
	time: e,
	auto: !0,
	distr: 1,
	log: 10,
	asinh: 1,
	min: null,
	max: null,
	dir: 1,
	ori: 0
}, gr = jt({}, hr, {
	time: !1,
	ori: 1
}), _r = {};
function vr(e, t) {
	let n = _r[e];
	return n || (n = {
		key: e,
		plots: [],
		sub(e) {
			n.plots.push(e);
		},
		unsub(e) {
			n.plots = n.plots.filter((t) => t != e);
		},
		pub(e, t, r, i, a, o, s) {
			for (let c = 0; c < n.plots.length; c++) n.plots[c] != t && n.plots[c].pub(e, t, r, i, a, o, s);
		}
	}, e != null && (_r[e] = n)), n;
}
var yr = 1, br = 2;
function xr(e, t, n) {
	let r = e.mode, i = e.series[t], a = r == 2 ? e._data[t] : e._data, o = e.scales, s = e.bbox, c = a[0], l = r == 2 ? a[1] : a[t], u = r == 2 ? o[i.facets[0].scale] : o[e.series[0].scale], d = r == 2 ? o[i.facets[1].scale] : o[i.scale], f = s.left, p = s.top, m = s.width, h = s.height, g = e.valToPosH, _ = e.valToPosV;
	return u.ori == 0 ? n(i, c, l, u, d, g, _, f, p, m, h, kr, jr, Nr, Fr, Lr) : n(i, c, l, u, d, _, g, p, f, h, m, Ar, Mr, Pr, Ir, Rr);
}
function Sr(e, t) {
	let n = 0, r = 0, i = L(e.bands, bt);
	for (let e = 0; e < i.length; e++) {
		let a = i[e];
		a.series[0] == t ? n = a.dir : a.series[1] == t && (a.dir == 1 ? r |= 1 : r |= 2);
	}
	return [n, r == 1 ? -1 : r == 2 ? 1 : r == 3 ? 2 : 0];
}
function Cr(e, t, n, r, i) {
	let a = e.mode, o = e.series[t], s = a == 2 ? o.facets[1].scale : o.scale, c = e.scales[s];
	return i == -1 ? c.min : i == 1 ? c.max : c.distr == 3 ? c.dir == 1 ? c.min : c.max : 0;
}
function K(e, t, n, r, i, a) {
	return xr(e, t, (e, t, o, s, c, l, u, d, f, p, m) => {
		let h = e.pxRound, g = s.dir * (s.ori == 0 ? 1 : -1), _ = s.ori == 0 ? jr : Mr, v, y;
		g == 1 ? (v = n, y = r) : (v = r, y = n);
		let b = h(l(t[v], s, p, d)), x = h(u(o[v], c, m, f)), S = h(l(t[y], s, p, d)), C = h(u(a == 1 ? c.max : c.min, c, m, f)), w = new Path2D(i);
		return _(w, S, C), _(w, b, C), _(w, b, x), w;
	});
}
function wr(e, t, n, r, i, a) {
	let o = null;
	if (e.length > 0) {
		o = new Path2D();
		let s = t == 0 ? Nr : Pr, c = n;
		for (let t = 0; t < e.length; t++) {
			let n = e[t];
			if (n[1] > n[0]) {
				let e = n[0] - c;
				e > 0 && s(o, c, r, e, r + a), c = n[1];
			}
		}
		let l = n + i - c;
		l > 0 && s(o, c, r - 5, l, r + a + 10);
	}
	return o;
}
function Tr(e, t, n) {
	let r = e[e.length - 1];
	r && r[0] == t ? r[1] = n : e.push([t, n]);
}
function Er(e, t, n, r, i, a, o) {
	let s = [], c = e.length;
	for (let l = i == 1 ? n : r; l >= n && l <= r; l += i) if (t[l] === null) {
		let u = l, d = l;
		if (i == 1) for (; ++l <= r && t[l] === null;) d = l;
		else for (; --l >= n && t[l] === null;) d = l;
		let f = a(e[u]), p = d == u ? f : a(e[d]), m = u - i;
		f = o <= 0 && m >= 0 && m < c ? a(e[m]) : f;
		let h = d + i;
		p = o >= 0 && h >= 0 && h < c ? a(e[h]) : p, p >= f && s.push([f, p]);
	}
	return s;
}
function Dr(e) {
	return e == 0 ? ot : e == 1 ? Ke : (t) => pt(t, e);
}
function Or(e) {
	let t = e == 0 ? kr : Ar, n = e == 0 ? (e, t, n, r, i, a) => {
		e.arcTo(t, n, r, i, a);
	} : (e, t, n, r, i, a) => {
		e.arcTo(n, t, i, r, a);
	}, r = e == 0 ? (e, t, n, r, i) => {
		e.rect(t, n, r, i);
	} : (e, t, n, r, i) => {
		e.rect(n, t, i, r);
	};
	return (e, i, a, o, s, c = 0, l = 0) => {
		c == 0 && l == 0 ? r(e, i, a, o, s) : (c = Je(c, o / 2, s / 2), l = Je(l, o / 2, s / 2), t(e, i + c, a), n(e, i + o, a, i + o, a + s, c), n(e, i + o, a + s, i, a + s, l), n(e, i, a + s, i, a, l), n(e, i, a, i + o, a, c), e.closePath());
	};
}
var kr = (e, t, n) => {
	e.moveTo(t, n);
}, Ar = (e, t, n) => {
	e.moveTo(n, t);
}, jr = (e, t, n) => {
	e.lineTo(t, n);
}, Mr = (e, t, n) => {
	e.lineTo(n, t);
}, Nr = Or(0), Pr = Or(1), Fr = (e, t, n, r, i, a) => {
	e.arc(t, n, r, i, a);
}, Ir = (e, t, n, r, i, a) => {
	e.arc(n, t, r, i, a);
}, Lr = (e, t, n, r, i, a, o) => {
	e.bezierCurveTo(t, n, r, i, a, o);
}, Rr = (e, t, n, r, i, a, o) => {
	e.bezierCurveTo(n, t, i, r, o, a);
};
function zr(e) {
	return (e, t, n, r, i) => xr(e, t, (t, a, o, s, c, l, u, d, f, p, m) => {
		let { pxRound: h, points: g } = t, _, v;
		s.ori == 0 ? (_ = kr, v = Fr) : (_ = Ar, v = Ir);
		let y = V(g.width * M, 3), b = (g.size - g.width) / 2 * M, x = V(b * 2, 3), S = new Path2D(), C = new Path2D(), { left: w, top: T, width: E, height: D } = e.bbox;
		Nr(C, w - x, T - x, E + x * 2, D + x * 2);
		let ee = (e) => {
			if (o[e] != null) {
				let t = h(l(a[e], s, p, d)), n = h(u(o[e], c, m, f));
				_(S, t + b, n), v(S, t, n, b, 0, Ue * 2);
			}
		};
		if (i) i.forEach(ee);
		else for (let e = n; e <= r; e++) ee(e);
		return {
			stroke: y > 0 ? S : null,
			fill: S,
			clip: C,
			flags: 3
		};
	});
}
function Br(e) {
	return (t, n, r, i, a, o) => {
		r != i && (a != r && o != r && e(t, n, r), a != i && o != i && e(t, n, i), e(t, n, o));
	};
}
var Vr = Br(jr), Hr = Br(Mr);
function Ur(e) {
	let t = L(e?.alignGaps, 0);
	return (e, n, r, i) => xr(e, n, (a, o, s, c, l, u, d, f, p, m, h) => {
		[r, i] = je(s, r, i);
		let g = a.pxRound, _ = (e) => g(u(e, c, m, f)), v = (e) => g(d(e, l, h, p)), y, b;
		c.ori == 0 ? (y = jr, b = Vr) : (y = Mr, b = Hr);
		let x = c.dir * (c.ori == 0 ? 1 : -1), S = {
			stroke: new Path2D(),
			fill: null,
			clip: null,
			band: null,
			gaps: null,
			flags: yr
		}, C = S.stroke, w = !1;
		if (i - r >= m * 4) {
			let t = (t) => e.posToVal(t, c.key, !0), n = null, a = null, l, u, d, f = _(o[x == 1 ? r : i]), p = _(o[r]), m = _(o[i]), h = t(x == 1 ? p + 1 : m - 1);
			for (let e = x == 1 ? r : i; e >= r && e <= i; e += x) {
				let r = o[e], i = (x == 1 ? r < h : r > h) ? f : _(r), c = s[e];
				i == f ? c == null ? c === null && (w = !0) : (u = c, n == null ? (y(C, i, v(u)), l = n = a = u) : u < n ? n = u : u > a && (a = u)) : (n != null && b(C, f, v(n), v(a), v(l), v(u)), c == null ? (n = a = null, c === null && (w = !0)) : (u = c, y(C, i, v(u)), n = a = l = u), f = i, h = t(f + x));
			}
			n != null && n != a && d != f && b(C, f, v(n), v(a), v(l), v(u));
		} else for (let e = x == 1 ? r : i; e >= r && e <= i; e += x) {
			let t = s[e];
			t === null ? w = !0 : t != null && y(C, _(o[e]), v(t));
		}
		let [T, E] = Sr(e, n);
		if (a.fill != null || T != 0) {
			let t = S.fill = new Path2D(C), s = v(a.fillTo(e, n, a.min, a.max, T)), c = _(o[r]), l = _(o[i]);
			x == -1 && ([l, c] = [c, l]), y(t, l, s), y(t, c, s);
		}
		if (!a.spanGaps) {
			let l = [];
			w && l.push(...Er(o, s, r, i, x, _, t)), S.gaps = l = a.gaps(e, n, r, i, l), S.clip = wr(l, c.ori, f, p, m, h);
		}
		return E != 0 && (S.band = E == 2 ? [K(e, n, r, i, C, -1), K(e, n, r, i, C, 1)] : K(e, n, r, i, C, E)), S;
	});
}
function Wr(e) {
	let t = L(e.align, 1), n = L(e.ascDesc, !1), r = L(e.alignGaps, 0), i = L(e.extend, !1);
	return (e, a, o, s) => xr(e, a, (c, l, u, d, f, p, m, h, g, _, v) => {
		[o, s] = je(u, o, s);
		let y = c.pxRound, { left: b, width: x } = e.bbox, S = (e) => y(p(e, d, _, h)), C = (e) => y(m(e, f, v, g)), w = d.ori == 0 ? jr : Mr, T = {
			stroke: new Path2D(),
			fill: null,
			clip: null,
			band: null,
			gaps: null,
			flags: yr
		}, E = T.stroke, D = d.dir * (d.ori == 0 ? 1 : -1), ee = C(u[D == 1 ? o : s]), te = S(l[D == 1 ? o : s]), ne = te, re = te;
		i && t == -1 && (re = b, w(E, re, ee)), w(E, te, ee);
		for (let e = D == 1 ? o : s; e >= o && e <= s; e += D) {
			let n = u[e];
			if (n == null) continue;
			let r = S(l[e]), i = C(n);
			t == 1 ? w(E, r, ee) : w(E, ne, i), w(E, r, i), ee = i, ne = r;
		}
		let ie = ne;
		i && t == 1 && (ie = b + x, w(E, ie, ee));
		let [ae, oe] = Sr(e, a);
		if (c.fill != null || ae != 0) {
			let t = T.fill = new Path2D(E), n = C(c.fillTo(e, a, c.min, c.max, ae));
			w(t, ie, n), w(t, re, n);
		}
		if (!c.spanGaps) {
			let i = [];
			i.push(...Er(l, u, o, s, D, S, r));
			let f = c.width * M / 2, p = n || t == 1 ? f : -f, m = n || t == -1 ? -f : f;
			i.forEach((e) => {
				e[0] += p, e[1] += m;
			}), T.gaps = i = c.gaps(e, a, o, s, i), T.clip = wr(i, d.ori, h, g, _, v);
		}
		return oe != 0 && (T.band = oe == 2 ? [K(e, a, o, s, E, -1), K(e, a, o, s, E, 1)] : K(e, a, o, s, E, oe)), T;
	});
}
function Gr(e, t, n, r, i, a, o = tt) {
	if (e.length > 1) {
		let s = null;
		for (let c = 0, l = Infinity; c < e.length; c++) if (t[c] !== void 0) {
			if (s != null) {
				let t = We(e[c] - e[s]);
				t < l && (l = t, o = We(n(e[c], r, i, a) - n(e[s], r, i, a)));
			}
			s = c;
		}
	}
	return o;
}
function Kr(e) {
	e ||= yt;
	let t = L(e.size, [
		.6,
		tt,
		1
	]), n = e.align || 0, r = e.gap || 0, i = e.radius;
	i = i == null ? [0, 0] : typeof i == "number" ? [i, 0] : i;
	let a = B(i), o = 1 - t[0], s = L(t[1], tt), c = L(t[2], 1), l = L(e.disp, yt), u = L(e.each, (e) => {}), { fill: d, stroke: f } = l;
	return (e, t, i, p) => xr(e, t, (m, h, g, _, v, y, b, x, S, C, w) => {
		let T = m.pxRound, E = n, D = r * M, ee = s * M, te = c * M, ne, re;
		_.ori == 0 ? [ne, re] = a(e, t) : [re, ne] = a(e, t);
		let ie = _.dir * (_.ori == 0 ? 1 : -1), ae = _.ori == 0 ? Nr : Pr, oe = _.ori == 0 ? u : (e, t, n, r, i, a, o) => {
			u(e, t, n, i, r, o, a);
		}, se = L(e.bands, bt).find((e) => e.series[0] == t), O = se == null ? 0 : se.dir, k = m.fillTo(e, t, m.min, m.max, O), ce = T(b(k, v, w, S)), le, A, ue, de = C, j = T(m.width * M), fe = !1, pe = null, me = null, he = null, N = null;
		d != null && (j == 0 || f != null) && (fe = !0, pe = d.values(e, t, i, p), me = /* @__PURE__ */ new Map(), new Set(pe).forEach((e) => {
			e != null && me.set(e, new Path2D());
		}), j > 0 && (he = f.values(e, t, i, p), N = /* @__PURE__ */ new Map(), new Set(he).forEach((e) => {
			e != null && N.set(e, new Path2D());
		})));
		let { x0: ge, size: _e } = l;
		if (ge != null && _e != null) {
			E = 1, h = ge.values(e, t, i, p), ge.unit == 2 && (h = h.map((t) => e.posToVal(x + t * C, _.key, !0)));
			let n = _e.values(e, t, i, p);
			A = _e.unit == 2 ? n[0] * C : y(n[0], _, C, x) - y(0, _, C, x), de = Gr(h, g, y, _, C, x, de), ue = de - A + D;
		} else de = Gr(h, g, y, _, C, x, de), ue = de * o + D, A = de - ue;
		ue < 1 && (ue = 0), j >= A / 2 && (j = 0), ue < 5 && (T = ot);
		let ve = ue > 0, ye = de - ue - (ve ? j : 0);
		A = T(rt(ye, te, ee)), le = (E == 0 ? A / 2 : E == ie ? 0 : A) - E * ie * ((E == 0 ? D / 2 : 0) + (ve ? j / 2 : 0));
		let be = {
			stroke: null,
			fill: null,
			clip: null,
			band: null,
			gaps: null,
			flags: 0
		}, xe = fe ? null : new Path2D(), P = null;
		if (se != null) P = e.data[se.series[1]];
		else {
			let { y0: n, y1: r } = l;
			n != null && r != null && (g = r.values(e, t, i, p), P = n.values(e, t, i, p));
		}
		let Se = ne * A, Ce = re * A;
		for (let n = ie == 1 ? i : p; n >= i && n <= p; n += ie) {
			let r = g[n];
			if (r == null) continue;
			if (P != null) {
				let e = P[n] ?? 0;
				if (r - e == 0) continue;
				ce = b(e, v, w, S);
			}
			let i = y(_.distr != 2 || l != null ? h[n] : n, _, C, x), a = b(L(r, k), v, w, S), o = T(i - le), s = T(Ye(a, ce)), c = T(Je(a, ce)), u = s - c;
			if (r != null) {
				let i = r < 0 ? Ce : Se, a = r < 0 ? Se : Ce;
				fe ? (j > 0 && he[n] != null && ae(N.get(he[n]), o, c + Ge(j / 2), A, Ye(0, u - j), i, a), pe[n] != null && ae(me.get(pe[n]), o, c + Ge(j / 2), A, Ye(0, u - j), i, a)) : ae(xe, o, c + Ge(j / 2), A, Ye(0, u - j), i, a), oe(e, t, n, o - j / 2, c, A + j, u);
			}
		}
		return j > 0 ? be.stroke = fe ? N : xe : fe || (be._fill = m.width == 0 ? m._fill : m._stroke ?? m._fill, be.width = 0), be.fill = fe ? me : xe, be;
	});
}
function qr(e, t) {
	let n = L(t?.alignGaps, 0);
	return (t, r, i, a) => xr(t, r, (o, s, c, l, u, d, f, p, m, h, g) => {
		[i, a] = je(c, i, a);
		let _ = o.pxRound, v = (e) => _(d(e, l, h, p)), y = (e) => _(f(e, u, g, m)), b, x, S;
		l.ori == 0 ? (b = kr, S = jr, x = Lr) : (b = Ar, S = Mr, x = Rr);
		let C = l.dir * (l.ori == 0 ? 1 : -1), w = v(s[C == 1 ? i : a]), T = w, E = [], D = [];
		for (let e = C == 1 ? i : a; e >= i && e <= a; e += C) if (c[e] != null) {
			let t = s[e], n = v(t);
			E.push(T = n), D.push(y(c[e]));
		}
		let ee = {
			stroke: e(E, D, b, S, x, _),
			fill: null,
			clip: null,
			band: null,
			gaps: null,
			flags: yr
		}, te = ee.stroke, [ne, re] = Sr(t, r);
		if (o.fill != null || ne != 0) {
			let e = ee.fill = new Path2D(te), n = y(o.fillTo(t, r, o.min, o.max, ne));
			S(e, T, n), S(e, w, n);
		}
		if (!o.spanGaps) {
			let e = [];
			e.push(...Er(s, c, i, a, C, v, n)), ee.gaps = e = o.gaps(t, r, i, a, e), ee.clip = wr(e, l.ori, p, m, h, g);
		}
		return re != 0 && (ee.band = re == 2 ? [K(t, r, i, a, te, -1), K(t, r, i, a, te, 1)] : K(t, r, i, a, te, re)), ee;
	});
}
function Jr(e) {
	return qr(Yr, e);
}
function Yr(e, t, n, r, i, a) {
	let o = e.length;
	if (o < 2) return null;
	let s = new Path2D();
	if (n(s, e[0], t[0]), o == 2) r(s, e[1], t[1]);
	else {
		let n = Array(o), r = Array(o - 1), a = Array(o - 1), c = Array(o - 1);
		for (let n = 0; n < o - 1; n++) a[n] = t[n + 1] - t[n], c[n] = e[n + 1] - e[n], r[n] = a[n] / c[n];
		n[0] = r[0];
		for (let e = 1; e < o - 1; e++) r[e] === 0 || r[e - 1] === 0 || r[e - 1] > 0 != r[e] > 0 ? n[e] = 0 : (n[e] = 3 * (c[e - 1] + c[e]) / ((2 * c[e] + c[e - 1]) / r[e - 1] + (c[e] + 2 * c[e - 1]) / r[e]), isFinite(n[e]) || (n[e] = 0));
		n[o - 1] = r[o - 2];
		for (let r = 0; r < o - 1; r++) i(s, e[r] + c[r] / 3, t[r] + n[r] * c[r] / 3, e[r + 1] - c[r] / 3, t[r + 1] - n[r + 1] * c[r] / 3, e[r + 1], t[r + 1]);
	}
	return s;
}
var Xr = /* @__PURE__ */ new Set();
function Zr() {
	for (let e of Xr) e.syncRect(!0);
}
A && (Te(se, de, Zr), Te(O, de, Zr, !0), Te(ce, de, () => {
	pi.pxRatio = M;
}));
var Qr = Ur(), $r = zr();
function ei(e, t, n, r) {
	return (r ? [e[0], e[1]].concat(e.slice(2)) : [e[0]].concat(e.slice(1))).map((e, r) => ni(e, r, t, n));
}
function ti(e, t) {
	return e.map((e, n) => n == 0 ? {} : jt({}, t, e));
}
function ni(e, t, n, r) {
	return jt({}, t == 0 ? n : r, e);
}
function ri(e, t, n) {
	return t == null ? xt : [t, n];
}
var ii = ri;
function ai(e, t, n) {
	return t == null ? xt : Re(t, n, Fe, !0);
}
function oi(e, t, n, r) {
	return t == null ? xt : Ne(t, n, e.scales[r].log, !1);
}
var si = oi;
function ci(e, t, n, r) {
	return t == null ? xt : Pe(t, n, e.scales[r].log, !1);
}
var li = ci;
function ui(e, t, n, r, i) {
	let a = Ye(nt(e), nt(t)), o = t - e, s = De(i / r * o, n);
	do {
		let e = n[s], t = r * e / o;
		if (t >= i && a + (e < 5 ? gt.get(e) : 0) <= 17) return [e, t];
	} while (++s < n.length);
	return [0, 0];
}
function di(e) {
	let t, n;
	return e = e.replace(/(\d+)px/, (e, r) => (t = Ke((n = +r) * M)) + "px"), [
		e,
		t,
		n
	];
}
function fi(e) {
	e.show && [e.font, e.labelFont].forEach((e) => {
		let t = V(e[2] * M, 1);
		e[0] = e[0].replace(/[0-9.]+px/, t + "px"), e[1] = t;
	});
}
function pi(e, D, se) {
	let O = { mode: L(e.mode, 1) }, k = O.mode;
	function A(e, t, n, r) {
		let i = t.valToPct(e);
		return r + n * (t.dir == -1 ? 1 - i : i);
	}
	function j(e, t, n, r) {
		let i = t.valToPct(e);
		return r + n * (t.dir == -1 ? i : 1 - i);
	}
	function fe(e, t, n, r) {
		return t.ori == 0 ? A(e, t, n, r) : j(e, t, n, r);
	}
	O.valToPosH = A, O.valToPosV = j;
	let pe = !1;
	O.status = 0;
	let ve = O.root = _e(t);
	if (e.id != null && (ve.id = e.id), me(ve, e.class), e.title) {
		let t = _e(i, ve);
		t.textContent = e.title;
	}
	let be = ge("canvas"), P = O.ctx = be.getContext("2d"), Ce = _e(a, ve);
	Te("click", Ce, (e) => {
		e.target === Oe && (J != Fi || Y != Ii) && Bi.click(O, e);
	}, !0);
	let we = O.under = _e(o, Ce);
	Ce.appendChild(be);
	let Oe = O.over = _e(s, Ce);
	e = At(e);
	let ke = +L(e.pxAlign, 1), Ae = Dr(ke);
	(e.plugins || []).forEach((t) => {
		t.opts && (e = t.opts(O, e) || e);
	});
	let je = e.ms || .001, F = O.series = k == 1 ? ei(e.series || [], Jn, pr, !1) : ti(e.series || [null], fr), Le = O.axes = ei(e.axes || [], Gn, sr, !0), I = O.scales = {}, Be = O.bands = e.bands || [];
	Be.forEach((e) => {
		e.fill = B(e.fill || null), e.dir = L(e.dir, -1);
	});
	let R = k == 2 ? F[1].facets[0].scale : F[0].scale, Ve = {
		axes: bi,
		series: qr
	}, He = (e.drawOrder || ["axes", "series"]).map((e) => Ve[e]);
	function Ge(e) {
		let t = e.distr == 3 ? (t) => Qe(t > 0 ? t : e.clamp(O, t, e.min, e.max, e.key)) : e.distr == 4 ? (t) => et(t, e.asinh) : e.distr == 100 ? (t) => e.fwd(t) : (e) => e;
		return (n) => {
			let r = t(n), { _min: i, _max: a } = e, o = a - i;
			return (r - i) / o;
		};
	}
	function Ze(t) {
		let n = I[t];
		if (n == null) {
			let r = (e.scales || yt)[t] || yt;
			if (r.from != null) {
				Ze(r.from);
				let e = jt({}, I[r.from], r, { key: t });
				e.valToPct = Ge(e), I[t] = e;
			} else {
				n = I[t] = jt({}, t == R ? hr : gr, r), n.key = t;
				let e = n.time, i = n.range, a = St(i);
				if ((t != R || k == 2 && !e) && (a && (i[0] == null || i[1] == null) && (i = {
					min: i[0] == null ? Ie : {
						mode: 1,
						hard: i[0],
						soft: i[0]
					},
					max: i[1] == null ? Ie : {
						mode: 1,
						hard: i[1],
						soft: i[1]
					}
				}, a = !1), !a && Et(i))) {
					let e = i;
					i = (t, n, r) => n == null ? xt : Re(n, r, e);
				}
				n.range = B(i || (e ? ii : t == R ? n.distr == 3 ? si : n.distr == 4 ? li : ri : n.distr == 3 ? oi : n.distr == 4 ? ci : ai)), n.auto = B(!a && n.auto), n.clamp = B(n.clamp || mr), n._min = n._max = null, n.valToPct = Ge(n);
			}
		}
	}
	Ze("x"), Ze("y"), k == 1 && F.forEach((e) => {
		Ze(e.scale);
	}), Le.forEach((e) => {
		Ze(e.scale);
	});
	for (let t in e.scales) Ze(t);
	let z = I[R], nt = z.distr, at, ot;
	z.ori == 0 ? (me(ve, n), at = A, ot = j) : (me(ve, r), at = j, ot = A);
	let dt = {};
	for (let e in I) {
		let t = I[e];
		(t.min != null || t.max != null) && (dt[e] = {
			min: t.min,
			max: t.max
		}, t.min = t.max = null);
	}
	let ft = e.tzDate || ((e) => new Date(Ke(e / je))), mt = e.fmtDate || Jt, ht = je == 1 ? hn(ft) : vn(ft), vt = bn(ft, yn(je == 1 ? mn : _n, mt)), Ct = Tn(ft, Cn(wn, mt)), Ot = [], kt = O.legend = jt({}, On, e.legend), H = O.cursor = jt({}, Ln, { drag: { y: k == 2 } }, e.cursor), Mt = kt.show, Nt = H.show, Pt = kt.markers;
	kt.idxs = Ot, Pt.width = B(Pt.width), Pt.dash = B(Pt.dash), Pt.stroke = B(Pt.stroke), Pt.fill = B(Pt.fill);
	let Ft, Lt, Rt, zt = [], Bt = [], Vt, Ht = !1, Ut = {};
	if (kt.live) {
		let e = F[1] ? F[1].values : null;
		Ht = e != null, Vt = Ht ? e(O, 1, 0) : { _: 0 };
		for (let e in Vt) Ut[e] = le;
	}
	if (Mt) {
		if (Ft = ge("table", m, ve), Rt = ge("tbody", null, Ft), kt.mount(O, Ft), Ht) {
			Lt = ge("thead", null, Ft, Rt);
			let e = ge("tr", null, Lt);
			for (var Wt in ge("th", null, e), Vt) ge("th", y, e).textContent = Wt;
		} else me(Ft, g), kt.live && me(Ft, h);
	}
	let Gt = { show: !0 }, Kt = { show: !1 };
	function qt(e, t) {
		if (t == 0 && (Ht || !kt.live || k == 2)) return xt;
		let n = [], r = ge("tr", _, Rt, Rt.childNodes[t]);
		me(r, e.class), e.show || me(r, l);
		let i = ge("th", null, r);
		if (Pt.show) {
			let e = _e(v, i);
			if (t > 0) {
				let n = Pt.width(O, t);
				n && (e.style.border = n + "px " + Pt.dash(O, t) + " " + Pt.stroke(O, t)), e.style.background = Pt.fill(O, t);
			}
		}
		let a = _e(y, i);
		for (var o in e.label instanceof HTMLElement ? a.appendChild(e.label) : a.textContent = e.label, t > 0 && (Pt.show || (a.style.color = e.width > 0 ? Pt.stroke(O, t) : Pt.fill(O, t)), Xt("click", i, (t) => {
			if (H._lock) return;
			Rn(t);
			let n = F.indexOf(e);
			if ((t.ctrlKey || t.metaKey) != kt.isolate) {
				let e = F.some((e, t) => t > 0 && t != n && e.show);
				F.forEach((t, r) => {
					r > 0 && qi(r, e ? r == n ? Gt : Kt : Gt, !0, ja.setSeries);
				});
			} else qi(n, { show: !e.show }, !0, ja.setSeries);
		}, !1), Vn && Xt(ie, i, (t) => {
			H._lock || (Rn(t), qi(F.indexOf(e), ta, !0, ja.setSeries));
		}, !1)), Vt) {
			let e = ge("td", b, r);
			e.textContent = "--", n.push(e);
		}
		return [r, n];
	}
	let Yt = /* @__PURE__ */ new Map();
	function Xt(e, t, n, r = !0) {
		let i = Yt.get(t) || {}, a = H.bind[e](O, t, n, r);
		a && (Te(e, t, i[e] = a), Yt.set(t, i));
	}
	function Zt(e, t, n) {
		let r = Yt.get(t) || {};
		for (let n in r) (e == null || n == e) && (Ee(n, t, r[n]), delete r[n]);
		e ?? Yt.delete(t);
	}
	let Qt = 0, $t = 0, U = 0, W = 0, nn = 0, rn = 0, an = nn, on = rn, sn = U, cn = W, ln = 0, un = 0, dn = 0, G = 0;
	O.bbox = {};
	let fn = !1, Sn = !1, En = !1, Dn = !1, kn = !1, An = !1;
	function jn(e, t, n) {
		(n || e != O.width || t != O.height) && Mn(e, t), xi(!1), En = !0, Sn = !0, Ti();
	}
	function Mn(e, t) {
		O.width = Qt = U = e, O.height = $t = W = t, nn = rn = 0, Fn(), In();
		let n = O.bbox;
		ln = n.left = pt(nn * M, .5), un = n.top = pt(rn * M, .5), dn = n.width = pt(U * M, .5), G = n.height = pt(W * M, .5);
	}
	function Nn() {
		let e = !1, t = 0;
		for (; !e;) {
			t++;
			let n = vi(t), r = yi(t);
			e = t == 3 || n && r, e || (Mn(O.width, O.height), Sn = !0);
		}
	}
	function Pn({ width: e, height: t }) {
		jn(e, t);
	}
	O.setSize = Pn;
	function Fn() {
		let e = !1, t = !1, n = !1, r = !1;
		Le.forEach((i, a) => {
			if (i.show && i._show) {
				let { side: a, _size: o } = i, s = a % 2, c = o + (i.label == null ? 0 : i.labelSize);
				c > 0 && (s ? (U -= c, a == 3 ? (nn += c, r = !0) : n = !0) : (W -= c, a == 0 ? (rn += c, e = !0) : t = !0));
			}
		}), lr[0] = e, lr[1] = n, lr[2] = t, lr[3] = r, U -= xr[1] + xr[3], nn += xr[3], W -= xr[2] + xr[0], rn += xr[0];
	}
	function In() {
		let e = nn + U, t = rn + W, n = nn, r = rn;
		function i(i, a) {
			switch (i) {
				case 1: return e += a, e - a;
				case 2: return t += a, t - a;
				case 3: return n -= a, n + a;
				case 0: return r -= a, r + a;
			}
		}
		Le.forEach((e, t) => {
			if (e.show && e._show) {
				let t = e.side;
				e._pos = i(t, e._size), e.label != null && (e._lpos = i(t, e.labelSize));
			}
		});
	}
	if (H.dataIdx == null) {
		let e = H.hover, t = e.skip = new Set(e.skip ?? []);
		t.add(void 0);
		let n = e.prox = B(e.prox), r = e.bias ??= 0;
		H.dataIdx = (e, i, a, o) => {
			if (i == 0) return a;
			let s = a, c = n(e, i, a, o) ?? tt, l = c >= 0 && c < tt, u = z.ori == 0 ? U : W, d = H.left, f = D[0], p = D[i];
			if (t.has(p[a])) {
				s = null;
				let e = null, n = null, i;
				if (r == 0 || r == -1) for (i = a; e == null && i-- > 0;) t.has(p[i]) || (e = i);
				if (r == 0 || r == 1) for (i = a; n == null && i++ < p.length;) t.has(p[i]) || (n = i);
				if (e != null || n != null) {
					if (l) {
						let t = e == null ? -Infinity : at(f[e], z, u, 0), r = n == null ? Infinity : at(f[n], z, u, 0), i = d - t, a = r - d;
						i <= a ? i <= c && (s = e) : a <= c && (s = n);
					} else s = n == null ? e : e == null ? n : a - e <= n - a ? e : n;
				}
			} else l && We(d - at(f[a], z, u, 0)) > c && (s = null);
			return s;
		};
	}
	let Rn = (e) => {
		H.event = e;
	};
	H.idxs = Ot, H._lock = !1;
	let zn = H.points;
	zn.show = B(zn.show), zn.size = B(zn.size), zn.stroke = B(zn.stroke), zn.width = B(zn.width), zn.fill = B(zn.fill);
	let Bn = O.focus = jt({}, e.focus || { alpha: .3 }, H.focus), Vn = Bn.prox >= 0, Hn = Vn && zn.one, Un = [], Wn = [], $n = [];
	function er(e, t) {
		let n = zn.show(O, t);
		if (n instanceof HTMLElement) return me(n, p), me(n, e.class), ye(n, -10, -10, U, W), Oe.insertBefore(n, Un[t]), n;
	}
	function tr(e, t) {
		if (k == 1 || t > 0) {
			let t = k == 1 && I[e.scale].time, n = e.value;
			e.value = t ? Tt(n) ? Tn(ft, Cn(n, mt)) : n || Ct : n || or, e.label = e.label || (t ? qn : Kn);
		}
		if (Hn || t > 0) {
			e.width = e.width == null ? 1 : e.width, e.paths = e.paths || Qr || ct, e.fillTo = B(e.fillTo || Cr), e.pxAlign = +L(e.pxAlign, ke), e.pxRound = Dr(e.pxAlign), e.stroke = B(e.stroke || null), e.fill = B(e.fill || null), e._stroke = e._fill = e._paths = e._focus = null;
			let t = cr(Ye(1, e.width), 1), n = e.points = jt({}, {
				size: t,
				width: Ye(1, t * .2),
				stroke: e.stroke,
				space: t * 2,
				paths: $r,
				_stroke: null,
				_fill: null
			}, e.points);
			n.show = B(n.show), n.filter = B(n.filter), n.fill = B(n.fill), n.stroke = B(n.stroke), n.paths = B(n.paths), n.pxAlign = e.pxAlign;
		}
		if (Mt) {
			let n = qt(e, t);
			zt.splice(t, 0, n[0]), Bt.splice(t, 0, n[1]), kt.values.push(null);
		}
		if (Nt) {
			Ot.splice(t, 0, null);
			let n = null;
			Hn ? t == 0 && (n = er(e, t)) : t > 0 && (n = er(e, t)), Un.splice(t, 0, n), Wn.splice(t, 0, 0), $n.splice(t, 0, 0);
		}
		ka("addSeries", t);
	}
	function nr(e, t) {
		t ??= F.length, e = k == 1 ? ni(e, t, Jn, pr) : ni(e, t, {}, fr), F.splice(t, 0, e), tr(F[t], t);
	}
	O.addSeries = nr;
	function rr(e) {
		if (F.splice(e, 1), Mt) {
			kt.values.splice(e, 1), Bt.splice(e, 1);
			let t = zt.splice(e, 1)[0];
			Zt(null, t.firstChild), t.remove();
		}
		Nt && (Ot.splice(e, 1), Un.splice(e, 1)[0].remove(), Wn.splice(e, 1), $n.splice(e, 1)), ka("delSeries", e);
	}
	O.delSeries = rr;
	let lr = [
		!1,
		!1,
		!1,
		!1
	];
	function ur(e, t) {
		if (e._show = e.show, e.show) {
			let n = e.side % 2, r = I[e.scale];
			r ??= (e.scale = n ? F[1].scale : R, I[e.scale]);
			let i = r.time;
			e.size = B(e.size), e.space = B(e.space), e.rotate = B(e.rotate), St(e.incrs) && e.incrs.forEach((e) => {
				!gt.has(e) && gt.set(e, _t(e));
			}), e.incrs = B(e.incrs || (r.distr == 2 ? en : i ? je == 1 ? pn : gn : tn)), e.splits = B(e.splits || (i && r.distr == 1 ? ht : r.distr == 3 ? Zn : r.distr == 4 ? Qn : Xn)), e.stroke = B(e.stroke), e.grid.stroke = B(e.grid.stroke), e.ticks.stroke = B(e.ticks.stroke), e.border.stroke = B(e.border.stroke);
			let a = e.values;
			e.values = St(a) && !St(a[0]) ? B(a) : i ? St(a) ? bn(ft, yn(a, mt)) : Tt(a) ? xn(ft, a) : a || vt : a || Yn, e.filter = B(e.filter || (r.distr >= 3 && r.log == 10 ? ir : r.distr == 3 && r.log == 2 ? ar : st)), e.font = di(e.font), e.labelFont = di(e.labelFont), e._size = e.size(O, null, t, 0), e._space = e._rotate = e._incrs = e._found = e._splits = e._values = null, e._size > 0 && (lr[t] = !0, e._el = _e(c, Ce));
		}
	}
	function dr(e, t, n, r) {
		let [i, a, o, s] = n, c = t % 2, l = 0;
		return c == 0 && (s || a) && (l = t == 0 && !i || t == 2 && !o ? Ke(Gn.size / 3) : 0), c == 1 && (i || o) && (l = t == 1 && !a || t == 3 && !s ? Ke(sr.size / 2) : 0), l;
	}
	let _r = O.padding = (e.padding || [
		dr,
		dr,
		dr,
		dr
	]).map((e) => B(L(e, dr))), xr = O._padding = _r.map((e, t) => e(O, t, lr, 0)), Sr, K = null, wr = null, Tr = k == 1 ? F[0].idxs : null, Er = null, Or = !1;
	function kr(e, t) {
		if (D = e ?? [], O.data = O._data = D, k == 2) {
			Sr = 0;
			for (let e = 1; e < F.length; e++) Sr += D[e][0].length;
		} else {
			D.length == 0 && (O.data = O._data = D = [[]]), Er = D[0], Sr = Er.length;
			let e = D;
			if (nt == 2) {
				e = D.slice();
				let t = e[0] = Array(Sr);
				for (let e = 0; e < Sr; e++) t[e] = e;
			}
			O._data = D = e;
		}
		if (xi(!0), ka("setData"), nt == 2 && (En = !0), t !== !1) {
			let e = z;
			e.auto(O, Or) ? Ar() : Ki(R, e.min, e.max), Dn ||= H.left >= 0, An = !0, Ti();
		}
	}
	O.setData = kr;
	function Ar() {
		Or = !0;
		let e, t;
		k == 1 && (Sr > 0 ? (K = Tr[0] = 0, wr = Tr[1] = Sr - 1, e = D[0][K], t = D[0][wr], nt == 2 ? (e = K, t = wr) : e == t && (nt == 3 ? [e, t] = Ne(e, e, z.log, !1) : nt == 4 ? [e, t] = Pe(e, e, z.log, !1) : z.time ? t = e + Ke(86400 / je) : [e, t] = Re(e, t, Fe, !0))) : (K = Tr[0] = e = null, wr = Tr[1] = t = null)), Ki(R, e, t);
	}
	let jr, Mr, Nr, Pr, Fr, Ir, Lr, Rr, zr, Br;
	function Vr(e, t, n, r, i, a) {
		e ??= ee, n ??= bt, r ??= "butt", i ??= ee, a ??= "round", e != jr && (P.strokeStyle = jr = e), i != Mr && (P.fillStyle = Mr = i), t != Nr && (P.lineWidth = Nr = t), a != Fr && (P.lineJoin = Fr = a), r != Ir && (P.lineCap = Ir = r), n != Pr && P.setLineDash(Pr = n);
	}
	function Hr(e, t, n, r) {
		t != Mr && (P.fillStyle = Mr = t), e != Lr && (P.font = Lr = e), n != Rr && (P.textAlign = Rr = n), r != zr && (P.textBaseline = zr = r);
	}
	function Ur(e, t, n, r, i = 0) {
		if (r.length > 0 && e.auto(O, Or) && (t == null || t.min == null)) {
			let t = L(K, 0), a = L(wr, r.length - 1), o = n.min == null ? Me(r, t, a, i, e.distr == 3) : [n.min, n.max];
			e.min = Je(e.min, n.min = o[0]), e.max = Ye(e.max, n.max = o[1]);
		}
	}
	let Wr = {
		min: null,
		max: null
	};
	function Gr() {
		for (let e in I) {
			let t = I[e];
			dt[e] == null && (t.min == null || dt[R] != null && t.auto(O, Or)) && (dt[e] = Wr);
		}
		for (let e in I) {
			let t = I[e];
			dt[e] == null && t.from != null && dt[t.from] != null && (dt[e] = Wr);
		}
		dt[R] != null && xi(!0);
		let e = {};
		for (let t in dt) {
			let n = dt[t];
			if (n != null) {
				let r = e[t] = At(I[t], Dt);
				if (n.min != null) jt(r, n);
				else if (t != R || k == 2) {
					if (Sr == 0 && r.from == null) {
						let e = r.range(O, null, null, t);
						r.min = e[0], r.max = e[1];
					} else r.min = tt, r.max = -Infinity;
				}
			}
		}
		if (Sr > 0) {
			F.forEach((t, n) => {
				if (k == 1) {
					let r = t.scale, i = dt[r];
					if (i == null) return;
					let a = e[r];
					if (n == 0) {
						let e = a.range(O, a.min, a.max, r);
						a.min = e[0], a.max = e[1], K = De(a.min, D[0]), wr = De(a.max, D[0]), wr - K > 1 && (D[0][K] < a.min && K++, D[0][wr] > a.max && wr--), t.min = Er[K], t.max = Er[wr];
					} else t.show && t.auto && Ur(a, i, t, D[n], t.sorted);
					t.idxs[0] = K, t.idxs[1] = wr;
				} else if (n > 0 && t.show && t.auto) {
					let [r, i] = t.facets, a = r.scale, o = i.scale, [s, c] = D[n], l = e[a], u = e[o];
					l != null && Ur(l, dt[a], r, s, r.sorted), u != null && Ur(u, dt[o], i, c, i.sorted), t.min = i.min, t.max = i.max;
				}
			});
			for (let t in e) {
				let n = e[t], r = dt[t];
				if (n.from == null && (r == null || r.min == null)) {
					let e = n.range(O, n.min == tt ? null : n.min, n.max == -Infinity ? null : n.max, t);
					n.min = e[0], n.max = e[1];
				}
			}
		}
		for (let t in e) {
			let n = e[t];
			if (n.from != null) {
				let r = e[n.from];
				if (r.min == null) n.min = n.max = null;
				else {
					let e = n.range(O, r.min, r.max, t);
					n.min = e[0], n.max = e[1];
				}
			}
		}
		let t = {}, n = !1;
		for (let r in e) {
			let i = e[r], a = I[r];
			if (a.min != i.min || a.max != i.max) {
				a.min = i.min, a.max = i.max;
				let e = a.distr;
				a._min = e == 3 ? Qe(a.min) : e == 4 ? et(a.min, a.asinh) : e == 100 ? a.fwd(a.min) : a.min, a._max = e == 3 ? Qe(a.max) : e == 4 ? et(a.max, a.asinh) : e == 100 ? a.fwd(a.max) : a.max, t[r] = n = !0;
			}
		}
		if (n) {
			F.forEach((e, n) => {
				k == 2 ? n > 0 && t.y && (e._paths = null) : t[e.scale] && (e._paths = null);
			});
			for (let e in t) En = !0, ka("setScale", e);
			Nt && H.left >= 0 && (Dn = An = !0);
		}
		for (let e in dt) dt[e] = null;
	}
	function Kr(e) {
		let t = rt(K - 1, 0, Sr - 1), n = rt(wr + 1, 0, Sr - 1);
		for (; e[t] == null && t > 0;) t--;
		for (; e[n] == null && n < Sr - 1;) n++;
		return [t, n];
	}
	function qr() {
		if (Sr > 0) {
			let e = F.some((e) => e._focus) && Br != Bn.alpha;
			e && (P.globalAlpha = Br = Bn.alpha), F.forEach((e, t) => {
				if (t > 0 && e.show && (Jr(t, !1), Jr(t, !0), e._paths == null)) {
					let n = Br;
					Br != e.alpha && (P.globalAlpha = Br = e.alpha);
					let r = k == 2 ? [0, D[t][0].length - 1] : Kr(D[t]);
					e._paths = e.paths(O, t, r[0], r[1]), Br != n && (P.globalAlpha = Br = n);
				}
			}), F.forEach((e, t) => {
				if (t > 0 && e.show) {
					let n = Br;
					Br != e.alpha && (P.globalAlpha = Br = e.alpha), e._paths != null && Yr(t, !1);
					{
						let n = e._paths == null ? null : e._paths.gaps, r = e.points.show(O, t, K, wr, n), i = e.points.filter(O, t, r, n);
						(r || i) && (e.points._paths = e.points.paths(O, t, K, wr, i), Yr(t, !0));
					}
					Br != n && (P.globalAlpha = Br = n), ka("drawSeries", t);
				}
			}), e && (P.globalAlpha = Br = 1);
		}
	}
	function Jr(e, t) {
		let n = t ? F[e].points : F[e];
		n._stroke = n.stroke(O, e), n._fill = n.fill(O, e);
	}
	function Yr(e, t) {
		let n = t ? F[e].points : F[e], { stroke: r, fill: i, clip: a, flags: o, _stroke: s = n._stroke, _fill: c = n._fill, _width: l = n.width } = n._paths;
		l = V(l * M, 3);
		let u = null, d = l % 2 / 2;
		t && c == null && (c = l > 0 ? "#fff" : s);
		let f = n.pxAlign == 1 && d > 0;
		if (f && P.translate(d, d), !t) {
			let e = ln - l / 2, t = un - l / 2, n = dn + l, r = G + l;
			u = new Path2D(), u.rect(e, t, n, r);
		}
		t ? pi(s, l, n.dash, n.cap, c, r, i, o, a) : Zr(e, s, l, n.dash, n.cap, c, r, i, o, u, a), f && P.translate(-d, -d);
	}
	function Zr(e, t, n, r, i, a, o, s, c, l, u) {
		let d = !1;
		c != 0 && Be.forEach((f, p) => {
			if (f.series[0] == e) {
				let e = F[f.series[1]], m = D[f.series[1]], h = (e._paths || yt).band;
				St(h) && (h = f.dir == 1 ? h[0] : h[1]);
				let g, _ = null;
				e.show && h && ze(m, K, wr) ? (_ = f.fill(O, p) || a, g = e._paths.clip) : h = null, pi(t, n, r, i, _, o, s, c, l, u, g, h), d = !0;
			}
		}), d || pi(t, n, r, i, a, o, s, c, l, u);
	}
	function pi(e, t, n, r, i, a, o, s, c, l, u, d) {
		Vr(e, t, n, r, i), (c || l || d) && (P.save(), c && P.clip(c), l && P.clip(l)), d ? (s & 3) == 3 ? (P.clip(d), u && P.clip(u), hi(i, o), mi(e, a, t)) : s & br ? (hi(i, o), P.clip(d), mi(e, a, t)) : s & yr && (P.save(), P.clip(d), u && P.clip(u), hi(i, o), P.restore(), mi(e, a, t)) : (hi(i, o), mi(e, a, t)), (c || l || d) && P.restore();
	}
	function mi(e, t, n) {
		n > 0 && (t instanceof Map ? t.forEach((e, t) => {
			P.strokeStyle = jr = t, P.stroke(e);
		}) : t != null && e && P.stroke(t));
	}
	function hi(e, t) {
		t instanceof Map ? t.forEach((e, t) => {
			P.fillStyle = Mr = t, P.fill(e);
		}) : t != null && e && P.fill(t);
	}
	function gi(e, t, n, r) {
		let i = Le[e], a;
		if (r <= 0) a = [0, 0];
		else {
			let o = i._space = i.space(O, e, t, n, r);
			a = ui(t, n, i._incrs = i.incrs(O, e, t, n, r, o), r, o);
		}
		return i._found = a;
	}
	function _i(e, t, n, r, i, a, o, s, c, l) {
		let u = o % 2 / 2;
		ke == 1 && P.translate(u, u), Vr(s, o, c, l, s), P.beginPath();
		let d, f, p, m, h = i + (r == 0 || r == 3 ? -a : a);
		n == 0 ? (f = i, m = h) : (d = i, p = h);
		for (let r = 0; r < e.length; r++) t[r] != null && (n == 0 ? d = p = e[r] : f = m = e[r], P.moveTo(d, f), P.lineTo(p, m));
		P.stroke(), ke == 1 && P.translate(-u, -u);
	}
	function vi(e) {
		let t = !0;
		return Le.forEach((n, r) => {
			if (!n.show) return;
			let i = I[n.scale];
			if (i.min == null) {
				n._show && (t = !1, n._show = !1, xi(!1));
				return;
			}
			n._show || (t = !1, n._show = !0, xi(!1));
			let a = n.side, o = a % 2, { min: s, max: c } = i, [l, u] = gi(r, s, c, o == 0 ? U : W);
			if (u == 0) return;
			let d = i.distr == 2, f = n._splits = n.splits(O, r, s, c, l, u, d), p = i.distr == 2 ? f.map((e) => Er[e]) : f, m = i.distr == 2 ? Er[f[1]] - Er[f[0]] : l, h = n._values = n.values(O, n.filter(O, p, r, u, m), r, u, m);
			n._rotate = a == 2 ? n.rotate(O, h, r, u) : 0;
			let g = n._size;
			n._size = qe(n.size(O, h, r, e)), g != null && n._size != g && (t = !1);
		}), t;
	}
	function yi(e) {
		let t = !0;
		return _r.forEach((n, r) => {
			let i = n(O, r, lr, e);
			i != xr[r] && (t = !1), xr[r] = i;
		}), t;
	}
	function bi() {
		for (let e = 0; e < Le.length; e++) {
			let t = Le[e];
			if (!t.show || !t._show) continue;
			let n = t.side, r = n % 2, i, a, o = t.stroke(O, e), s = n == 0 || n == 3 ? -1 : 1, [c, l] = t._found;
			if (t.label != null) {
				let u = t.labelGap * s, d = Ke((t._lpos + u) * M);
				Hr(t.labelFont[0], o, "center", n == 2 ? C : w), P.save(), r == 1 ? (i = a = 0, P.translate(d, Ke(un + G / 2)), P.rotate((n == 3 ? -Ue : Ue) / 2)) : (i = Ke(ln + dn / 2), a = d);
				let f = it(t.label) ? t.label(O, e, c, l) : t.label;
				P.fillText(f, i, a), P.restore();
			}
			if (l == 0) continue;
			let u = I[t.scale], d = r == 0 ? dn : G, f = r == 0 ? ln : un, p = t._splits, m = u.distr == 2 ? p.map((e) => Er[e]) : p, h = u.distr == 2 ? Er[p[1]] - Er[p[0]] : c, g = t.ticks, _ = t.border, v = g.show ? g.size : 0, y = Ke(v * M), b = Ke((t.alignTo == 2 ? t._size - v - t.gap : t.gap) * M), x = t._rotate * -Ue / 180, S = Ae(t._pos * M), D = S + (y + b) * s;
			a = r == 0 ? D : 0, i = r == 1 ? D : 0;
			let ee = t.font[0];
			Hr(ee, o, t.align == 1 ? T : t.align == 2 ? E : x > 0 ? T : x < 0 ? E : r == 0 ? "center" : n == 3 ? E : T, x || r == 1 ? "middle" : n == 2 ? C : w);
			let te = t.font[1] * t.lineGap, ne = p.map((e) => Ae(fe(e, u, d, f))), re = t._values;
			for (let e = 0; e < re.length; e++) {
				let t = re[e];
				if (t != null) {
					r == 0 ? i = ne[e] : a = ne[e], t = "" + t;
					let n = t.indexOf("\n") == -1 ? [t] : t.split(/\n/gm);
					for (let e = 0; e < n.length; e++) {
						let t = n[e];
						x ? (P.save(), P.translate(i, a + e * te), P.rotate(x), P.fillText(t, 0, 0), P.restore()) : P.fillText(t, i, a + e * te);
					}
				}
			}
			g.show && _i(ne, g.filter(O, m, e, l, h), r, n, S, y, V(g.width * M, 3), g.stroke(O, e), g.dash, g.cap);
			let ie = t.grid;
			ie.show && _i(ne, ie.filter(O, m, e, l, h), r, r == 0 ? 2 : 1, r == 0 ? un : ln, r == 0 ? G : dn, V(ie.width * M, 3), ie.stroke(O, e), ie.dash, ie.cap), _.show && _i([S], [1], +(r == 0), r == 0 ? 1 : 2, r == 1 ? un : ln, r == 1 ? G : dn, V(_.width * M, 3), _.stroke(O, e), _.dash, _.cap);
		}
		ka("drawAxes");
	}
	function xi(e) {
		F.forEach((t, n) => {
			n > 0 && (t._paths = null, e && (k == 1 ? (t.min = null, t.max = null) : t.facets.forEach((e) => {
				e.min = null, e.max = null;
			})));
		});
	}
	let Si = !1, Ci = !1, q = [];
	function wi() {
		Ci = !1;
		for (let e = 0; e < q.length; e++) ka(...q[e]);
		q.length = 0;
	}
	function Ti() {
		Si ||= (It(Di), !0);
	}
	function Ei(e, t = !1) {
		Si = !0, Ci = t, e(O), Di(), t && q.length > 0 && queueMicrotask(wi);
	}
	O.batch = Ei;
	function Di() {
		if (fn &&= (Gr(), !1), En &&= (Nn(), !1), Sn) {
			if (N(we, T, nn), N(we, C, rn), N(we, x, U), N(we, S, W), N(Oe, T, nn), N(Oe, C, rn), N(Oe, x, U), N(Oe, S, W), N(Ce, x, Qt), N(Ce, S, $t), be.width = Ke(Qt * M), be.height = Ke($t * M), Le.forEach(({ _el: e, _show: t, _size: n, _pos: r, side: i }) => {
				if (e != null) {
					if (t) {
						let t = i === 3 || i === 0 ? n : 0, a = i % 2 == 1;
						N(e, a ? "left" : "top", r - t), N(e, a ? "width" : "height", n), N(e, a ? "top" : "left", a ? rn : nn), N(e, a ? "height" : "width", a ? W : U), he(e, l);
					} else me(e, l);
				}
			}), jr = Mr = Nr = Fr = Ir = Lr = Rr = zr = Pr = null, Br = 1, pa(!0), nn != an || rn != on || U != sn || W != cn) {
				xi(!1);
				let e = U / sn, t = W / cn;
				if (Nt && !Dn && H.left >= 0) {
					H.left *= e, H.top *= t, ji && ye(ji, Ke(H.left), 0, U, W), Mi && ye(Mi, 0, Ke(H.top), U, W);
					for (let n = 0; n < Un.length; n++) {
						let r = Un[n];
						r != null && (Wn[n] *= e, $n[n] *= t, ye(r, qe(Wn[n]), qe($n[n]), U, W));
					}
				}
				if (X.show && !kn && X.left >= 0 && X.width > 0) {
					X.left *= e, X.width *= e, X.top *= t, X.height *= t;
					for (let e in ga) N(Ui, e, X[e]);
				}
				an = nn, on = rn, sn = U, cn = W;
			}
			ka("setSize"), Sn = !1;
		}
		Qt > 0 && $t > 0 && (P.clearRect(0, 0, be.width, be.height), ka("drawClear"), He.forEach((e) => e()), ka("draw")), X.show && kn && (Wi(X), kn = !1), Nt && Dn && (da(null, !0, !1), Dn = !1), kt.show && kt.live && An && (ua(), An = !1), pe || (pe = !0, O.status = 1, ka("ready")), Or = !1, Si = !1;
	}
	O.redraw = (e, t) => {
		En = t || !1, e === !1 ? Ti() : Ki(R, z.min, z.max);
	};
	function Oi(e, t) {
		let n = I[e];
		if (n.from == null) {
			if (Sr == 0) {
				let r = n.range(O, t.min, t.max, e);
				t.min = r[0], t.max = r[1];
			}
			if (t.min > t.max) {
				let e = t.min;
				t.min = t.max, t.max = e;
			}
			if (Sr > 1 && t.min != null && t.max != null && t.max - t.min < 1e-16) return;
			e == R && n.distr == 2 && Sr > 0 && (t.min = De(t.min, D[0]), t.max = De(t.max, D[0]), t.min == t.max && t.max++), dt[e] = t, fn = !0, Ti();
		}
	}
	O.setScale = Oi;
	let ki, Ai, ji, Mi, Ni, Pi, Fi, Ii, Li, Ri, J, Y, zi = !1, Bi = H.drag, Vi = Bi.x, Hi = Bi.y;
	Nt && (H.x && (ki = _e(d, Oe)), H.y && (Ai = _e(f, Oe)), z.ori == 0 ? (ji = ki, Mi = Ai) : (ji = Ai, Mi = ki), J = H.left, Y = H.top);
	let X = O.select = jt({
		show: !0,
		over: !0,
		left: 0,
		width: 0,
		top: 0,
		height: 0
	}, e.select), Ui = X.show ? _e(u, X.over ? Oe : we) : null;
	function Wi(e, t) {
		if (X.show) {
			for (let t in e) X[t] = e[t], t in ga && N(Ui, t, e[t]);
			t !== !1 && ka("setSelect");
		}
	}
	O.setSelect = Wi;
	function Gi(e) {
		if (F[e].show) Mt && he(zt[e], l);
		else if (Mt && me(zt[e], l), Nt) {
			let t = Hn ? Un[0] : Un[e];
			t != null && ye(t, -10, -10, U, W);
		}
	}
	function Ki(e, t, n) {
		Oi(e, {
			min: t,
			max: n
		});
	}
	function qi(e, t, n, r) {
		t.focus != null && na(e), t.show != null && F.forEach((n, r) => {
			r > 0 && (e == r || e == null) && (n.show = t.show, Gi(r), k == 2 ? (Ki(n.facets[0].scale, null, null), Ki(n.facets[1].scale, null, null)) : Ki(n.scale, null, null), Ti());
		}), n !== !1 && ka("setSeries", e, t), r && Pa("setSeries", O, e, t);
	}
	O.setSeries = qi;
	function Ji(e, t) {
		jt(Be[e], t);
	}
	function Yi(e, t) {
		e.fill = B(e.fill || null), e.dir = L(e.dir, -1), t ??= Be.length, Be.splice(t, 0, e);
	}
	function Xi(e) {
		e == null ? Be.length = 0 : Be.splice(e, 1);
	}
	O.addBand = Yi, O.setBand = Ji, O.delBand = Xi;
	function Zi(e, t) {
		F[e].alpha = t, Nt && Un[e] != null && (Un[e].style.opacity = t), Mt && zt[e] && (zt[e].style.opacity = t);
	}
	let Qi, $i, ea, ta = { focus: !0 };
	function na(e) {
		if (e != ea) {
			let t = e == null, n = Bn.alpha != 1;
			F.forEach((r, i) => {
				if (k == 1 || i > 0) {
					let a = t || i == 0 || i == e;
					r._focus = t ? null : a, n && Zi(i, a ? 1 : Bn.alpha);
				}
			}), ea = e, n && Ti();
		}
	}
	Mt && Vn && Xt(ae, Ft, (e) => {
		H._lock || (Rn(e), ea != null && qi(null, ta, !0, ja.setSeries));
	});
	function ra(e, t, n) {
		let r = I[t];
		n && (e = e / M - (r.ori == 1 ? rn : nn));
		let i = U;
		r.ori == 1 && (i = W, e = i - e), r.dir == -1 && (e = i - e);
		let a = r._min, o = r._max, s = e / i, c = a + (o - a) * s, l = r.distr;
		return l == 3 ? Xe(10, c) : l == 4 ? $e(c, r.asinh) : l == 100 ? r.bwd(c) : c;
	}
	function ia(e, t) {
		return De(ra(e, R, t), D[0], K, wr);
	}
	O.valToIdx = (e) => De(e, D[0]), O.posToIdx = ia, O.posToVal = ra, O.valToPos = (e, t, n) => I[t].ori == 0 ? A(e, I[t], n ? dn : U, n ? ln : 0) : j(e, I[t], n ? G : W, n ? un : 0), O.setCursor = (e, t, n) => {
		J = e.left, Y = e.top, da(null, t, n);
	};
	function aa(e, t) {
		N(Ui, T, X.left = e), N(Ui, x, X.width = t);
	}
	function oa(e, t) {
		N(Ui, C, X.top = e), N(Ui, S, X.height = t);
	}
	let sa = z.ori == 0 ? aa : oa, ca = z.ori == 1 ? aa : oa;
	function la() {
		if (Mt && kt.live) for (let e = +(k == 2); e < F.length; e++) {
			if (e == 0 && Ht) continue;
			let t = kt.values[e], n = 0;
			for (let r in t) Bt[e][n++].firstChild.nodeValue = t[r];
		}
	}
	function ua(e, t) {
		if (e != null && (e.idxs ? e.idxs.forEach((e, t) => {
			Ot[t] = e;
		}) : wt(e.idx) || Ot.fill(e.idx), kt.idx = Ot[0]), Mt && kt.live) {
			for (let e = 0; e < F.length; e++) (e > 0 || k == 1 && !Ht) && Z(e, Ot[e]);
			la();
		}
		An = !1, t !== !1 && ka("setLegend");
	}
	O.setLegend = ua;
	function Z(e, t) {
		let n = F[e], r = e == 0 && nt == 2 ? Er : D[e], i;
		Ht ? i = n.values(O, e, t) ?? Ut : (i = n.value(O, t == null ? null : r[t], e, t), i = i == null ? Ut : { _: i }), kt.values[e] = i;
	}
	function da(e, t, n) {
		Li = J, Ri = Y, [J, Y] = H.move(O, J, Y), H.left = J, H.top = Y, Nt && (ji && ye(ji, Ke(J), 0, U, W), Mi && ye(Mi, 0, Ke(Y), U, W));
		let r, i = K > wr;
		Qi = tt, $i = null;
		let a = z.ori == 0 ? U : W, o = z.ori == 1 ? U : W;
		if (J < 0 || Sr == 0 || i) {
			r = H.idx = null;
			for (let e = 0; e < F.length; e++) {
				let t = Un[e];
				t != null && ye(t, -10, -10, U, W);
			}
			Vn && qi(null, ta, !0, e == null && ja.setSeries), kt.live && (Ot.fill(r), An = !0);
		} else {
			let e, t, n;
			k == 1 && (e = z.ori == 0 ? J : Y, t = ra(e, R), r = H.idx = De(t, D[0], K, wr), n = at(D[0][r], z, a, 0));
			let i = -10, s = -10, c = 0, l = 0, u = !0, d = "", f = "";
			for (let e = +(k == 2); e < F.length; e++) {
				let p = F[e], m = Ot[e], h = m == null ? null : k == 1 ? D[e][m] : D[e][1][m], g = H.dataIdx(O, e, r, t), _ = g == null ? null : k == 1 ? D[e][g] : D[e][1][g];
				if (An = An || _ != h || g != m, Ot[e] = g, e > 0 && p.show) {
					let t = g == null ? -10 : g == r ? n : at(k == 1 ? D[0][g] : D[e][0][g], z, a, 0), m = _ == null ? -10 : ot(_, k == 1 ? I[p.scale] : I[p.facets[1].scale], o, 0);
					if (Vn && _ != null) {
						let t = z.ori == 1 ? J : Y, n = We(Bn.dist(O, e, g, m, t));
						if (n < Qi) {
							let r = Bn.bias;
							if (r != 0) {
								let i = ra(t, p.scale), a = _ >= 0 ? 1 : -1, o = i >= 0 ? 1 : -1;
								o == a && (o == 1 ? r == 1 ? _ >= i : _ <= i : r == 1 ? _ <= i : _ >= i) && (Qi = n, $i = e);
							} else Qi = n, $i = e;
						}
					}
					if (An || Hn) {
						let n, r;
						z.ori == 0 ? (n = t, r = m) : (n = m, r = t);
						let a, o, p, h, g, _, v = !0, y = zn.bbox;
						if (y != null) {
							v = !1;
							let t = y(O, e);
							p = t.left, h = t.top, a = t.width, o = t.height;
						} else p = n, h = r, a = o = zn.size(O, e);
						if (_ = zn.fill(O, e), g = zn.stroke(O, e), Hn) e == $i && Qi <= Bn.prox && (i = p, s = h, c = a, l = o, u = v, d = _, f = g);
						else {
							let t = Un[e];
							t != null && (Wn[e] = p, $n[e] = h, Se(t, a, o, v), xe(t, _, g), ye(t, qe(p), qe(h), U, W));
						}
					}
				}
			}
			if (Hn) {
				let e = Bn.prox;
				if (An || (ea == null ? Qi <= e : Qi > e || $i != ea)) {
					let e = Un[0];
					e != null && (Wn[0] = i, $n[0] = s, Se(e, c, l, u), xe(e, d, f), ye(e, qe(i), qe(s), U, W));
				}
			}
		}
		if (X.show && zi) {
			if (e != null) {
				let [t, n] = ja.scales, [r, i] = ja.match, [s, c] = e.cursor.sync.scales, l = e.cursor.drag;
				if (Vi = l._x, Hi = l._y, Vi || Hi) {
					let { left: l, top: u, width: d, height: f } = e.select, p = e.scales[s].ori, m = e.posToVal, h, g, _, v, y, b = t != null && r(t, s), x = n != null && i(n, c);
					b && Vi ? (p == 0 ? (h = l, g = d) : (h = u, g = f), _ = I[t], v = at(m(h, s), _, a, 0), y = at(m(h + g, s), _, a, 0), sa(Je(v, y), We(y - v))) : sa(0, a), x && Hi ? (p == 1 ? (h = l, g = d) : (h = u, g = f), _ = I[n], v = ot(m(h, c), _, o, 0), y = ot(m(h + g, c), _, o, 0), ca(Je(v, y), We(y - v))) : ca(0, o);
				} else _a();
			} else {
				let e = We(Li - Ni), t = We(Ri - Pi);
				if (z.ori == 1) {
					let n = e;
					e = t, t = n;
				}
				Vi = Bi.x && e >= Bi.dist, Hi = Bi.y && t >= Bi.dist;
				let n = Bi.uni;
				n == null ? Bi.x && Bi.y && (Vi || Hi) && (Vi = Hi = !0) : Vi && Hi && (Vi = e >= n, Hi = t >= n, !Vi && !Hi && (t > e ? Hi = !0 : Vi = !0));
				let r, i;
				Vi && (z.ori == 0 ? (r = Fi, i = J) : (r = Ii, i = Y), sa(Je(r, i), We(i - r)), Hi || ca(0, o)), Hi && (z.ori == 1 ? (r = Fi, i = J) : (r = Ii, i = Y), ca(Je(r, i), We(i - r)), Vi || sa(0, a)), !Vi && !Hi && (sa(0, 0), ca(0, 0));
			}
		}
		if (Bi._x = Vi, Bi._y = Hi, e == null) {
			if (n) {
				if (Ma != null) {
					let [e, t] = ja.scales;
					ja.values[0] = e == null ? null : ra(z.ori == 0 ? J : Y, e), ja.values[1] = t == null ? null : ra(z.ori == 1 ? J : Y, t);
				}
				Pa(te, O, J, Y, U, W, r);
			}
			if (Vn) {
				let e = n && ja.setSeries, t = Bn.prox;
				ea == null ? Qi <= t && qi($i, ta, !0, e) : Qi > t ? qi(null, ta, !0, e) : $i != ea && qi($i, ta, !0, e);
			}
		}
		An && (kt.idx = r, ua()), t !== !1 && ka("setCursor");
	}
	let fa = null;
	Object.defineProperty(O, "rect", { get() {
		return fa ?? pa(!1), fa;
	} });
	function pa(e = !1) {
		e ? fa = null : (fa = Oe.getBoundingClientRect(), ka("syncRect", fa));
	}
	function ma(e, t, n, r, i, a, o) {
		H._lock || zi && e != null && e.movementX == 0 && e.movementY == 0 || (ha(e, t, n, r, i, a, o, !1, e != null), e == null ? da(t, !0, !1) : da(null, !0, !0));
	}
	function ha(e, t, n, r, i, a, o, s, c) {
		if (fa ?? pa(!1), Rn(e), e != null) n = e.clientX - fa.left, r = e.clientY - fa.top;
		else {
			if (n < 0 || r < 0) {
				J = -10, Y = -10;
				return;
			}
			let [e, o] = ja.scales, s = t.cursor.sync, [c, l] = s.values, [u, d] = s.scales, [f, p] = ja.match, m = t.axes[0].side % 2 == 1, h = z.ori == 0 ? U : W, g = z.ori == 1 ? U : W, _ = m ? a : i, v = m ? i : a, y = m ? r : n, b = m ? n : r;
			if (n = u == null ? y / _ * h : f(e, u) ? fe(c, I[e], h, 0) : -10, r = d == null ? b / v * g : p(o, d) ? fe(l, I[o], g, 0) : -10, z.ori == 1) {
				let e = n;
				n = r, r = e;
			}
		}
		c && (t == null || t.cursor.event.type == te) && ((n <= 1 || n >= U - 1) && (n = pt(n, U)), (r <= 1 || r >= W - 1) && (r = pt(r, W))), s ? (Ni = n, Pi = r, [Fi, Ii] = H.move(O, n, r)) : (J = n, Y = r);
	}
	let ga = {
		width: 0,
		height: 0,
		left: 0,
		top: 0
	};
	function _a() {
		Wi(ga, !1);
	}
	let va, ya, ba, xa;
	function Sa(e, t, n, r, i, a, o) {
		zi = !0, Vi = Hi = Bi._x = Bi._y = !1, ha(e, t, n, r, i, a, o, !0, !1), e != null && (Xt(re, ue, Ca, !1), Pa(ne, O, Fi, Ii, U, W, null));
		let { left: s, top: c, width: l, height: u } = X;
		va = s, ya = c, ba = l, xa = u;
	}
	function Ca(e, t, n, r, i, a, o) {
		zi = Bi._x = Bi._y = !1, ha(e, t, n, r, i, a, o, !1, !0);
		let { left: s, top: c, width: l, height: u } = X, d = l > 0 || u > 0, f = va != s || ya != c || ba != l || xa != u;
		if (d && f && Wi(X), Bi.setScale && d && f) {
			let e = s, t = l, n = c, r = u;
			if (z.ori == 1 && (e = c, t = u, n = s, r = l), Vi && Ki(R, ra(e, R), ra(e + t, R)), Hi) for (let e in I) {
				let t = I[e];
				e != R && t.from == null && t.min != tt && Ki(e, ra(n + r, e), ra(n, e));
			}
			_a();
		} else H.lock && (H._lock = !H._lock, da(t, !0, e != null));
		e != null && (Zt(re, ue), Pa(re, O, J, Y, U, W, null));
	}
	function wa(e, t, n, r, i, a, o) {
		if (H._lock) return;
		Rn(e);
		let s = zi;
		if (zi) {
			let e = !0, t = !0, n, r;
			z.ori == 0 ? (n = Vi, r = Hi) : (n = Hi, r = Vi), n && r && (e = J <= 10 || J >= U - 10, t = Y <= 10 || Y >= W - 10), n && e && (J = J < Fi ? 0 : U), r && t && (Y = Y < Ii ? 0 : W), da(null, !0, !0), zi = !1;
		}
		J = -10, Y = -10, Ot.fill(null), da(null, !0, !0), s && (zi = s);
	}
	function Ta(e, t, n, r, i, a, o) {
		H._lock || (Rn(e), Ar(), _a(), e != null && Pa(oe, O, J, Y, U, W, null));
	}
	function Ea() {
		Le.forEach(fi), jn(O.width, O.height, !0);
	}
	Te(ce, de, Ea);
	let Da = {};
	Da.mousedown = Sa, Da.mousemove = ma, Da.mouseup = Ca, Da.dblclick = Ta, Da.setSeries = (e, t, n, r) => {
		let i = ja.match[2];
		n = i(O, t, n), n != -1 && qi(n, r, !0, !1);
	}, Nt && (Xt(ne, Oe, Sa), Xt(te, Oe, ma), Xt(ie, Oe, (e) => {
		Rn(e), pa(!1);
	}), Xt(ae, Oe, wa), Xt(oe, Oe, Ta), Xr.add(O), O.syncRect = pa);
	let Oa = O.hooks = e.hooks || {};
	function ka(e, t, n) {
		Ci ? q.push([
			e,
			t,
			n
		]) : e in Oa && Oa[e].forEach((e) => {
			e.call(null, O, t, n);
		});
	}
	(e.plugins || []).forEach((e) => {
		for (let t in e.hooks) Oa[t] = (Oa[t] || []).concat(e.hooks[t]);
	});
	let Aa = (e, t, n) => n, ja = jt({
		key: null,
		setSeries: !1,
		filters: {
			pub: lt,
			sub: lt
		},
		scales: [R, F[1] ? F[1].scale : null],
		match: [
			ut,
			ut,
			Aa
		],
		values: [null, null]
	}, H.sync);
	ja.match.length == 2 && ja.match.push(Aa), H.sync = ja;
	let Ma = ja.key, Na = vr(Ma);
	function Pa(e, t, n, r, i, a, o) {
		ja.filters.pub(e, t, n, r, i, a, o) && Na.pub(e, t, n, r, i, a, o);
	}
	Na.sub(O);
	function Fa(e, t, n, r, i, a, o) {
		ja.filters.sub(e, t, n, r, i, a, o) && Da[e](null, t, n, r, i, a, o);
	}
	O.pub = Fa;
	function Ia() {
		Na.unsub(O), Xr.delete(O), Yt.clear(), Ee(ce, de, Ea), ve.remove(), Ft?.remove(), ka("destroy");
	}
	O.destroy = Ia;
	function La() {
		ka("init", e, D), kr(D || e.data, !1), dt[R] ? Oi(R, dt[R]) : Ar(), kn = X.show && (X.width > 0 || X.height > 0), Dn = An = !0, jn(e.width, e.height);
	}
	return F.forEach(tr), Le.forEach(ur), se ? se instanceof HTMLElement ? (se.appendChild(ve), La()) : se(O, La) : La(), O;
}
pi.assign = jt, pi.fmtNum = Ve, pi.rangeNum = Re, pi.rangeLog = Ne, pi.rangeAsinh = Pe, pi.orient = xr, pi.pxRatio = M, pi.join = Ft, pi.fmtDate = Jt, pi.tzDate = Xt, pi.sync = vr;
{
	pi.addGap = Tr, pi.clipGaps = wr;
	let e = pi.paths = { points: zr };
	e.linear = Ur, e.stepped = Wr, e.bars = Kr, e.spline = Jr;
}
//#endregion
//#region src/format.ts
var mi = {
	"-": "⁻",
	0: "⁰",
	1: "¹",
	2: "²",
	3: "³",
	4: "⁴",
	5: "⁵",
	6: "⁶",
	7: "⁷",
	8: "⁸",
	9: "⁹"
};
function hi(e) {
	return `10${[...String(e)].map((e) => mi[e]).join("")}`;
}
function gi(e, t = 3) {
	if (e === 0) return "0";
	if (!Number.isFinite(e)) return Number.isNaN(e) ? "–" : e > 0 ? "∞" : "−∞";
	let n = Math.abs(e);
	if (n >= 1e5 || n < .001) {
		let [n = "", r = "0"] = e.toExponential(t - 1).split("e"), i = String(Number(n)).replace("-", "−"), a = hi(Number(r));
		return i === "1" ? a : `${i}×${a}`;
	}
	return String(Number(e.toPrecision(t))).replace("-", "−");
}
function _i(e, t) {
	if (e === 0) return "0";
	let n = Math.abs(e);
	if (n >= 1e5 || n < .001) return gi(e, 3);
	let r = Math.max(0, -Math.floor(Math.log10(Math.abs(t)) + 1e-9));
	return e.toFixed(Math.min(r, 8)).replace("-", "−");
}
//#endregion
//#region src/axis.ts
function vi(e, t, n) {
	let r = (t - e) / n, i = 10 ** Math.floor(Math.log10(r)), a = i * ([
		1,
		2,
		5
	].find((e) => e * i >= r) ?? 10), o = [];
	for (let n = Math.ceil(e / a - 1e-9); n * a <= t + 1e-9 * a; n++) o.push({
		at: n * a || 0,
		text: _i(n * a, a)
	});
	return o;
}
function yi(e, t, n) {
	let [r, i] = [Math.ceil(Math.log10(e) - 1e-9), Math.floor(Math.log10(t) + 1e-9)];
	if (i - r >= 1) {
		let e = Math.max(1, Math.ceil((i - r) / n)), t = [];
		for (let n = r; n <= i; n++) (n - i) % e === 0 && t.push({
			at: 10 ** n,
			text: hi(n)
		});
		return t;
	}
	let a = [];
	for (let n = r - 1; n <= i + 1; n++) for (let r of [
		1,
		2,
		5
	]) {
		let i = r * 10 ** n;
		i >= e * (1 - 1e-9) && i <= t * (1 + 1e-9) && a.push({
			at: i,
			text: _i(i, 10 ** n)
		});
	}
	return a;
}
function bi(e, t, n) {
	if (e.range) return [e.range[0], e.range[1]];
	let [r, i] = [Infinity, -Infinity];
	for (let n of t) !Number.isFinite(n) || e.log && n <= 0 || (n < r && (r = n), n > i && (i = n));
	if (r > i) return e.log ? [.1, 1] : [0, 1];
	if (e.log) {
		if (r === i) return [r / 2, i * 2];
		let e = (i / r) ** n;
		return [r / e, i * e];
	}
	if (r === i) {
		let e = Math.abs(r) * .1 || 1;
		return [r - e, i + e];
	}
	let a = n * (i - r);
	return [r === 0 ? 0 : r - a, i === 0 ? 0 : i + a];
}
function xi(e, [t, n], r) {
	let i = e.log ?? !1, [a, o] = i ? [Math.log(t), Math.log(n)] : [t, n];
	return {
		log: i,
		low: t,
		high: n,
		ticks: i ? yi(t, n, r) : vi(t, n, r),
		place: (e) => ((i ? Math.log(e) : e) - a) / (o - a)
	};
}
//#endregion
//#region src/draw/frame.ts
var Si = .9;
function Ci(e) {
	return e.replace(/[&<>"]/g, (e) => `&#${e.charCodeAt(0)};`);
}
var q = (e) => Math.round(e * 100) / 100;
function wi(e, t, n, r) {
	return `<text x="${q(e)}" y="${q(t)}" ${r}>${Ci(n)}</text>`;
}
function Ti(e, t, n, r) {
	return wi(e, t, n, `${r} transform="rotate(-90 ${q(e)} ${q(t)})"`);
}
function Ei(e, t) {
	return e.length * t * .55;
}
function Di(e, t) {
	return (e.colour ?? t) % 7;
}
function Oi(e, t) {
	return e.colour === void 0 ? t.quiet : t.lines[e.colour % 7];
}
function ki(e, t) {
	return t * 2.3 + Math.max(...e.map((e) => Ei(e.text, t)), t);
}
function Ai(e, t, n, r, { letter: i }, a) {
	let o = [], [s, c] = [e.right - e.left, e.bottom - e.top], l = `fill="${a.quiet}" font-size="${q(i * Si)}"`;
	for (let n of t.ticks) {
		let r = q(e.left + t.place(n.at) * s);
		o.push(`<path d="M${r} ${e.top}V${e.bottom}" stroke="${a.grid}"/>`), o.push(wi(r, e.bottom + i * 1.25, n.text, `text-anchor="middle" ${l}`));
	}
	for (let t of n.ticks) {
		let r = q(e.bottom - n.place(t.at) * c);
		o.push(`<path d="M${e.left} ${r}H${e.right}" stroke="${a.grid}"/>`), o.push(wi(e.left - i * .5, r + i * .32, t.text, `text-anchor="end" ${l}`));
	}
	let u = `text-anchor="middle" fill="${a.quiet}"`;
	return o.push(wi((e.left + e.right) / 2, e.bottom + i * 2.7, r.x.label, u)), o.push(Ti(i * 1.1, (e.top + e.bottom) / 2, r.y.label, u)), o.join("");
}
function ji(e, t, n, r, { letter: i }, a) {
	let o = [], s = 0;
	for (let c of e ?? []) {
		let e = (c.axis === "x" ? n : r).place(c.at);
		if (!(e >= 0 && e <= 1)) continue;
		let l = Oi(c, a), u = `stroke="${l}" stroke-dasharray="3 3" fill="none"`, d = `fill="${l}" font-size="${q(i * Si)}"`;
		if (c.axis === "x") {
			let n = q(t.left + e * (t.right - t.left)), r = e > .6;
			o.push(`<path d="M${n} ${t.top}V${t.bottom}" ${u}/>`), o.push(wi(n + (r ? -5 : 5), t.top + i * (1 + 1.2 * s++), c.label, `${d} text-anchor="${r ? "end" : "start"}"`));
		} else {
			let n = q(t.bottom - e * (t.bottom - t.top));
			o.push(`<path d="M${t.left} ${n}H${t.right}" ${u}/>`), o.push(wi(t.right - 4, n - 4, c.label, `${d} text-anchor="end"`));
		}
	}
	return o.join("");
}
//#endregion
//#region src/palette.ts
var Mi = {
	lines: [
		"#0072B2",
		"#D55E00",
		"#009E73",
		"#CC79A7",
		"#E69F00",
		"#56B4E9",
		"#000000"
	],
	ink: "#16202c",
	quiet: "#53606f",
	grid: "#e3e8ee",
	paper: "#ffffff",
	low: "#0072B2",
	middle: "#f7f7f5",
	high: "#D55E00"
}, Ni = {
	lines: [
		"#4AA3E0",
		"#F27A2E",
		"#22C596",
		"#E6A0C9",
		"#F2B63C",
		"#A5DCFF",
		"#F4F6F8"
	],
	ink: "#e9eef4",
	quiet: "#a3b0bf",
	grid: "#2b3746",
	paper: "#151d27",
	low: "#4AA3E0",
	middle: "#1d2733",
	high: "#F27A2E"
}, Pi = {
	solid: [],
	dash: [4, 2.4],
	dot: [1.1, 1.8],
	dashdot: [
		5,
		2,
		1.1,
		2
	]
};
function Fi(e, t, n) {
	let r = (e, t) => Number.parseInt(e.slice(1 + 2 * t, 3 + 2 * t), 16);
	return `#${[
		0,
		1,
		2
	].map((i) => Math.round(r(e, i) + n * (r(t, i) - r(e, i)))).map((e) => e.toString(16).padStart(2, "0")).join("")}`;
}
function Ii(e, t) {
	let n = Math.max(-1, Math.min(1, Number.isFinite(t) ? t : 0));
	return n < 0 ? Fi(e.middle, e.low, -n) : Fi(e.middle, e.high, n);
}
//#endregion
//#region src/draw/heat.ts
var Li = 5, Ri = 4.5, J = 32;
function Y(e, t, n, r) {
	let i = (e) => Math.max(0, ...e.map((e) => Ei(e, r * Si))), [a, o] = [e.matrix.length || 1, e.matrix[0]?.length || 1], s = i(e.rows) + r * .8, c = i(e.columns), l = Math.min((t - s - r * Li) / o, r * Ri), u = (e) => Math.max(2, Math.min(l, (n - e) / a)), [d, f] = [r * 1.8, c + r * .9], p = c + r * .4 < u(d);
	return {
		left: s,
		level: p,
		below: p ? d : f,
		cell: u(p ? d : f)
	};
}
function zi(e, t, n, r) {
	let { cell: i, below: a } = Y(e, t, n, r);
	return Math.ceil(e.matrix.length * i + a + r * .7);
}
function Bi(e, { width: t, height: n, letter: r }, i, a) {
	let { left: o, cell: s, level: c } = Y(e, t, n - a, r), [l, u] = [e.matrix.length, e.matrix[0]?.length ?? 0], d = e.bound ?? (Math.max(0, ...e.matrix.flat().map(Math.abs).filter(Number.isFinite)) || 1), f = r * Si, p = `fill="${i.quiet}" font-size="${q(f)}"`, m = [];
	e.matrix.forEach((t, n) => t.forEach((t, r) => {
		let c = Ci(`${e.rows[n] ?? n + 1}, ${e.columns[r] ?? r + 1}: ${gi(t)}`);
		m.push(`<rect x="${q(o + r * s)}" y="${q(a + n * s)}" width="${q(s + .3)}" height="${q(s + .3)}" fill="${Ii(i, t / d)}"><title>${c}</title></rect>`);
	}));
	let h = Math.max(1, Math.ceil(f * 1.1 / s));
	return e.rows.forEach((e, t) => {
		t % h === 0 && m.push(wi(o - 5, a + (t + .5) * s + f * .35, e, `${p} text-anchor="end"`));
	}), e.columns.forEach((e, t) => {
		let [n, r] = [o + (t + .5) * s, a + l * s];
		c ? m.push(wi(n, r + f * 1.3, e, `${p} text-anchor="middle"`)) : t % h === 0 && m.push(Ti(n + f * .35, r + 6, e, `${p} text-anchor="end"`));
	}), m.push(`<rect x="${q(o)}" y="${a}" width="${q(u * s)}" height="${q(l * s)}" fill="none" stroke="${i.grid}"/>`), m.push(Vi(o + u * s + r, a, l * s, d, e.label, r, i)), m.join("");
}
function Vi(e, t, n, r, i, a, o) {
	let s = a * Si, c = [];
	for (let r = 0; r < J; r++) {
		let i = Ii(o, 1 - 2 * r / 31);
		c.push(`<rect x="${q(e)}" y="${q(t + r * n / J)}" width="${q(a * .8)}" height="${q(n / J + .4)}" fill="${i}"/>`);
	}
	let l = [
		[s * .8, r],
		[n / 2 + s * .35, 0],
		[n, -r]
	];
	for (let [n, r] of l) c.push(wi(e + a * 1.1, t + n, gi(r, 2), `fill="${o.quiet}" font-size="${q(s)}"`));
	let [u, d] = Ei(i, a) > n ? [t + n, "start"] : [t + n / 2, "middle"];
	return c.push(Ti(e + a * 3.7, u, i, `fill="${o.quiet}" text-anchor="${d}"`)), c.join("");
}
//#endregion
//#region src/draw/lines.ts
var Hi = .04;
function X(e) {
	return e.lines.map((e, t) => ({
		line: e,
		colour: Di(e, t)
	})).filter(({ line: e }) => !e.quiet);
}
function Ui(e) {
	let t = e.lines.flatMap((e) => e.x ? [e.x] : []), n = e.lines.some((e) => !e.x) ? [e.x.values, ...t] : t;
	return {
		x: bi(e.x, n.flat(), 0),
		y: bi(e.y, e.lines.flatMap((e) => e.y), Hi)
	};
}
function Wi(e, t, n, r, i) {
	let a = e.x ?? t.x.values, [o, s] = ["", !1];
	return e.y.forEach((e, t) => {
		let [c, l] = [r.place(a[t]), i.place(e)], u = Number.isFinite(c) && Number.isFinite(l);
		u && (o += `${s ? "L" : "M"}${q(n.left + c * (n.right - n.left))} ${q(n.bottom - l * (n.bottom - n.top))}`), s = u;
	}), o;
}
function Gi(e, t) {
	let n = e.width ?? 2, r = Pi[e.dash ?? "solid"].map((e) => q(e * n)).join(" "), i = e.opacity === void 0 ? "" : ` stroke-opacity="${e.opacity}"`;
	return `stroke="${t}" stroke-width="${n}" fill="none"${r && ` stroke-dasharray="${r}"`}${i}`;
}
function Ki(e, t, n, { width: r, letter: i }, a) {
	let o = X(e), s = i * 4 + Math.max(0, ...o.map(({ line: e }) => Ei(e.label, i))), c = Math.max(1, Math.floor((r - t) / s));
	return {
		drawn: o.map(({ line: e, colour: r }, o) => {
			let [l, u] = [t + o % c * s, n + i * (.5 + 1.5 * Math.floor(o / c))];
			return `<path d="M${q(l)} ${q(u)}h${i * 2}" ${Gi(e, a.lines[r])}/>` + wi(l + i * 2.5, u + i * .35, e.label, `fill="${a.ink}"`);
		}).join(""),
		height: Math.ceil(o.length / c) * i * 1.5
	};
}
function qi(e, t, n, r) {
	let i = Ui(e), [a, o] = [xi(e.x, i.x, 6), xi(e.y, i.y, 5)], s = ki(o.ticks, t.letter), c = Ki(e, s, r, t, n), l = {
		left: s,
		top: r + c.height,
		right: t.width - t.letter,
		bottom: t.height - t.letter * 3.3
	}, u = `clip-${e.id}`, d = e.lines.map((t, r) => `<path d="${Wi(t, e, l, a, o)}" ${Gi(t, n.lines[Di(t, r)])} stroke-linejoin="round"/>`);
	return `<clipPath id="${u}"><rect x="${l.left}" y="${l.top - 2}" width="${l.right - l.left}" height="${l.bottom - l.top + 4}"/></clipPath>${Ai(l, a, o, e, t, n)}<g clip-path="url(#${u})">${d.join("")}</g>${ji(e.marks, l, a, o, t, n)}${c.drawn}`;
}
//#endregion
//#region src/draw/scatter.ts
var Ji = .08;
function Yi(e, t, n, r) {
	let { letter: i } = t, a = e.points.flatMap((e) => e.trail ?? []), o = bi(e.x, [...e.points.map((e) => e.x), ...a.map(([e]) => e)], Ji), s = bi(e.y, [...e.points.map((e) => e.y), ...a.map(([, e]) => e)], Ji), c = t.height - i * 3.3, l = {
		left: ki(xi(e.y, s, 5).ticks, i),
		top: r,
		right: t.width - i,
		bottom: c
	};
	e.equal && ([o, s] = Xi(o, s, (l.right - l.left) / (l.bottom - l.top)));
	let [u, d] = [xi(e.x, o, 5), xi(e.y, s, 5)], f = (e, t) => [q(l.left + u.place(e) * (l.right - l.left)), q(l.bottom - d.place(t) * (l.bottom - l.top))], p = [], m = e.points.map((e, t) => {
		let r = n.lines[Di(e, t)], [a, o] = f(e.x, e.y), s = (e.trail ?? []).map(([e, t]) => f(e, t).join(" ")), c = s.length ? `<path d="M${s.join("L")}L${a} ${o}" stroke="${r}" stroke-opacity="0.5" stroke-width="1.6" fill="none"/>` : "", u = e.ring ? `fill="none" stroke="${r}" stroke-width="1.6"` : `fill="${r}"`, d = `<circle cx="${a}" cy="${o}" r="${q(i * (e.ring ? .62 : .36))}" ${u}><title>${Ci(`${e.label}: ${gi(e.x)}, ${gi(e.y)}`)}</title></circle>`;
		if (!e.label) return c + d;
		let [m, h] = [Ei(e.label, i * Si), i * .7], g = a + h + m > l.right, _ = g ? a - h - m : a + h, v = o + i * .33;
		for (; p.some((e) => Math.abs(e.line - v) < i * .95 && _ < e.end && e.start < _ + m) && v < l.bottom;) v += i * .5;
		return p.push({
			start: _,
			end: _ + m,
			line: v
		}), c + d + wi(g ? a - h : a + h, v, e.label, `fill="${n.ink}" font-size="${q(i * Si)}" text-anchor="${g ? "end" : "start"}"`);
	});
	return `${Ai(l, u, d, e, t, n)}${ji(e.marks, l, u, d, t, n)}${m.join("")}`;
}
function Xi(e, t, n) {
	let [r, i] = [e[1] - e[0], t[1] - t[0]], a = ([e, t], n) => [(e + t - n) / 2, (e + t + n) / 2];
	return r / i < n ? [a(e, i * n), t] : [e, a(t, r / n)];
}
//#endregion
//#region src/draw/index.ts
function Zi(e, t, n, r) {
	let { width: i, height: a, letter: o } = t, s = o * (r ? 2.4 : .7), c = r ? `<rect width="100%" height="100%" fill="${n.paper}"/>${wi(o * .5, o * 1.4, e.title, `font-weight="600" font-size="${q(o * 1.1)}" fill="${n.ink}"`)}` : "", l = {
		lines: qi,
		heat: Bi,
		scatter: Yi
	}[e.kind];
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${i}" height="${a}" viewBox="0 0 ${i} ${a}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="${o}">${c}${l(e, t, n, s)}</svg>`;
}
//#endregion
//#region src/save.ts
var Qi = {
	width: 720,
	height: 460,
	letter: 14
}, $i = 2;
function ea(e) {
	let t = typeof e == "number" && !Number.isFinite(e) ? "" : String(e);
	return /[",\n]/.test(t) ? `"${t.replaceAll("\"", "\"\"")}"` : t;
}
function ta(e) {
	return `${e.map((e) => e.map(ea).join(",")).join("\r\n")}\r\n`;
}
function na(e) {
	if (e.kind === "heat") return ta([["", ...e.columns], ...e.matrix.map((t, n) => [e.rows[n] ?? n, ...t])]);
	if (e.kind === "scatter") {
		let t = e.points.flatMap((e) => [...e.trail ?? [], [e.x, e.y]].map(([t, n], r) => [
			e.label,
			r,
			t,
			n
		]));
		return ta([[
			"point",
			"step",
			e.x.label,
			e.y.label
		], ...t]);
	}
	let t = e.lines.map((t) => new Map((t.x ?? e.x.values).map((e, n) => [e, t.y[n] ?? NaN]))), n = [...new Set(t.flatMap((e) => [...e.keys()]))].sort((e, t) => e - t);
	return ta([[e.x.label, ...e.lines.map((e) => e.label)], ...n.map((e) => [e, ...t.map((t) => t.get(e) ?? NaN)])]);
}
function ra(e) {
	return e.kind === "heat" ? {
		...Qi,
		height: zi(e, Qi.width, Qi.height, Qi.letter) + 2 * Qi.letter
	} : Qi;
}
function ia(e) {
	return Zi(e, ra(e), Mi, !0);
}
async function aa(e) {
	let t = new Image();
	t.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(ia(e))}`, await t.decode();
	let n = document.createElement("canvas");
	return [n.width, n.height] = [Qi.width * $i, ra(e).height * $i], n.getContext("2d").drawImage(t, 0, 0, n.width, n.height), new Promise((e, t) => n.toBlob((n) => n ? e(n) : t(/* @__PURE__ */ Error("the browser made no PNG")), "image/png"));
}
function oa(e, t) {
	let n = document.createElement("a");
	n.href = URL.createObjectURL(e), n.download = t, n.click(), setTimeout(() => URL.revokeObjectURL(n.href), 1e4);
}
function sa(e, t) {
	let n = [
		["SVG", () => new Blob([ia(e())], { type: "image/svg+xml" })],
		["PNG", () => aa(e())],
		["CSV", () => new Blob([na(e())], { type: "text/csv" })]
	], r = document.createElement("details");
	r.className = "save";
	let i = document.createElement("summary");
	i.textContent = "Save", r.append(i);
	for (let [i, a] of n) {
		let n = document.createElement("button");
		n.type = "button", n.textContent = i, n.setAttribute("aria-label", `Save “${e().title}” as ${i}`), n.addEventListener("click", async () => {
			oa(await a(), `festina-${t}-${e().id}.${i.toLowerCase()}`), r.open = !1;
		}), r.append(n);
	}
	return r;
}
//#endregion
//#region src/chart.ts
var ca = {
	lines: 23,
	heat: 30,
	scatter: 28
}, la = {
	lines: .66,
	heat: 1,
	scatter: .8
}, ua = .42;
function Z(e, t = {}, ...n) {
	let r = document.createElement(e);
	for (let [e, n] of Object.entries(t)) r.setAttribute(e, n);
	return r.append(...n), r;
}
var da = class {
	chart;
	look;
	root;
	title = Z("h3");
	legend = Z("ul", { class: "legend" });
	plot = Z("div", { class: "plot" });
	readings = [];
	drawn;
	scales;
	data = [[]];
	width = 0;
	constructor(e, t, n) {
		this.chart = e, this.look = t;
		let r = Z("figcaption", {}, this.title, sa(() => this.chart, n));
		this.root = Z("figure", {
			class: "chart",
			"data-chart": e.id
		}, r, this.legend, this.plot);
	}
	update(e, t) {
		this.chart = e, this.look = t, this.root.classList.toggle("wide", e.wide ?? !1), this.title.textContent !== e.title && (this.title.textContent = e.title), this.plot.setAttribute("role", "img"), this.plot.setAttribute("aria-label", ha(e)), this.width = this.plot.clientWidth, this.width > 0 && this.draw();
	}
	fit() {
		this.plot.clientWidth !== this.width && this.update(this.chart, this.look);
	}
	get size() {
		let { chart: e, width: t, look: { letter: n } } = this, r = e.wide && e.kind === "lines" ? ua : la[e.kind], i = Math.round(Math.max(n * 15, Math.min(n * ca[e.kind], t * r)));
		return {
			width: t,
			letter: n,
			height: e.kind === "heat" ? zi(e, t, i, n) : i
		};
	}
	draw() {
		if (this.chart.kind === "lines") return this.drawLines(this.chart);
		this.legend.replaceChildren(), this.plot.innerHTML = Zi(this.chart, this.size, this.look.palette, !1);
	}
	drawLines(e) {
		let t = Ui(e);
		this.scales = {
			x: xi(e.x, t.x, this.width < 420 ? 4 : 6),
			y: xi(e.y, t.y, 5)
		}, this.data = ma(e);
		let n = JSON.stringify([
			this.look,
			e.x.label,
			e.x.log,
			e.y.label,
			e.y.log,
			e.lines.map((e, t) => [
				e.label,
				Di(e, t),
				e.dash,
				e.width,
				e.opacity,
				e.quiet
			])
		]), { width: r, height: i } = this.size;
		if (this.drawn?.form === n) {
			(this.drawn.plot.width !== r || this.drawn.plot.height !== i) && this.drawn.plot.setSize({
				width: r,
				height: i
			}), this.drawn.plot.setData(this.data);
			return;
		}
		this.drawn?.plot.destroy(), this.plot.replaceChildren(), this.drawLegend(e), this.drawn = {
			plot: new pi(this.options(e, r, i), this.data, this.plot),
			form: n
		};
	}
	drawLegend(e) {
		this.readings.length = 0;
		let t = X(e).map(({ line: e, colour: t }) => {
			let n = Pi[e.dash ?? "solid"].map((e) => e * 2).join(" "), r = `<svg width="26" height="10" aria-hidden="true"><path d="M1 5h24" stroke="${this.look.palette.lines[t]}" stroke-width="${Math.min(3, e.width ?? 2)}" stroke-dasharray="${n}"/></svg>`, i = Z("output");
			this.readings.push(i);
			let a = Z("li", {}, e.label, i);
			return a.insertAdjacentHTML("afterbegin", r), a;
		});
		this.legend.replaceChildren(...t);
	}
	options(e, t, n) {
		let { palette: r, letter: i } = this.look, a = (t) => ({
			stroke: r.quiet,
			labelFont: `${i}px ${fa}`,
			font: `${i * Si}px ${fa}`,
			label: e[t].label,
			labelSize: i * 1.7,
			labelGap: 2,
			gap: 4,
			size: (e, n) => t === "x" ? i * 1.9 : i * (.9 + .52 * Math.max(2, ...(n ?? []).map((e) => e.length))),
			grid: {
				stroke: r.grid,
				width: 1
			},
			ticks: { show: !1 },
			splits: () => this.scales[t].ticks.map((e) => e.at),
			values: (e, n) => n.map((e) => this.scales[t].ticks.find((t) => t.at === e)?.text ?? ""),
			filter: (e, t) => t
		}), o = (t) => ({
			time: !1,
			distr: e[t].log ? 3 : 1,
			range: () => [this.scales[t].low, this.scales[t].high]
		});
		return {
			width: t,
			height: n,
			legend: { show: !1 },
			cursor: {
				drag: {
					x: !1,
					y: !1
				},
				points: { size: 6 }
			},
			padding: [
				i * .6,
				i * .9,
				0,
				0
			],
			scales: {
				x: o("x"),
				y: o("y")
			},
			axes: [a("x"), a("y")],
			series: [{}, ...e.lines.map((e, t) => ({
				stroke: r.lines[Di(e, t)],
				width: e.width ?? 2,
				dash: Pi[e.dash ?? "solid"].map((t) => t * (e.width ?? 2)),
				alpha: e.opacity ?? 1,
				points: { show: !1 },
				pxAlign: 0
			}))],
			hooks: {
				draw: [(e) => this.drawMarks(e)],
				setCursor: [(e) => this.readAt(e)]
			}
		};
	}
	drawMarks(e) {
		let t = this.chart.marks ?? [], { ctx: n, bbox: r } = e, { palette: i, letter: a } = this.look, o = pi.pxRatio;
		n.save(), n.font = `${a * Si * o}px ${fa}`, n.lineWidth = o;
		let s = 0;
		for (let c of t) {
			let t = Math.round(e.valToPos(c.at, c.axis, !0)), l = c.axis === "x" ? (t - r.left) / r.width : (t - r.top) / r.height;
			l >= 0 && l <= 1 && (n.strokeStyle = n.fillStyle = Oi(c, i), n.setLineDash([3 * o, 3 * o]), n.beginPath(), c.axis === "x" ? (n.moveTo(t, r.top), n.lineTo(t, r.top + r.height), n.textAlign = l > .6 ? "right" : "left", n.fillText(c.label, t + (l > .6 ? -5 : 5) * o, r.top + a * (1 + 1.2 * s++) * o)) : (n.moveTo(r.left, t), n.lineTo(r.left + r.width, t), n.textAlign = "right", n.fillText(c.label, r.left + r.width - 4 * o, t - 4 * o)), n.stroke());
		}
		n.restore();
	}
	readAt(e) {
		let t = e.cursor.idx, n = this.chart.lines, r = 0;
		n.forEach((e, n) => {
			if (e.quiet) return;
			let i = t == null ? void 0 : pa(this.data[n + 1], t), a = this.readings[r++];
			a && (a.textContent = i == null ? "" : gi(i));
		});
	}
}, fa = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";
function pa(e, t) {
	for (let n = 0; n < e.length; n++) {
		let r = e[t - n] ?? e[t + n];
		if (r != null) return r;
	}
}
function ma(e) {
	let t = e.y.log ?? !1, n = (e) => e.map((e) => Number.isFinite(e) && (!t || e > 0) ? e : null);
	return e.lines.every((e) => !e.x) ? [[...e.x.values], ...e.lines.map((e) => n(e.y))] : pi.join(e.lines.map((t) => [[...t.x ?? e.x.values].slice(0, t.y.length), n(t.y)]));
}
function ha(e) {
	return e.kind === "lines" ? `${e.title}: ${e.y.label} against ${e.x.label}; ${X(e).map(({ line: e }) => e.label).join(", ")}` : e.kind === "heat" ? `${e.title}: ${e.matrix.length} by ${e.matrix[0]?.length ?? 0} values of ${e.label}` : `${e.title}: ${e.points.map((e) => e.label).join(", ")}`;
}
//#endregion
//#region src/state.ts
function ga(e, t) {
	return typeof e.controls == "function" ? e.controls(t) : e.controls;
}
function _a(e) {
	return e.filter((e) => e.kind !== "button");
}
function va(e) {
	return typeof e == "object" ? e.map((e) => [...e]) : e;
}
function ya(e) {
	return !e.log && Number.isInteger(e.step) && Number.isInteger(e.min);
}
function ba(e, t) {
	if (e.kind === "slider") return typeof t == "number" && t >= e.min && t <= e.max && (!ya(e) || Number.isInteger(t)) ? void 0 : `${e.id} must be a ${ya(e) ? "whole " : ""}number from ${e.min} to ${e.max}`;
	if (e.kind === "choice") {
		let n = e.options.map((e) => e.value);
		return n.includes(t) ? void 0 : `${e.id} must be one of ${n.join(", ")}`;
	}
	let [n, r] = [e.rows.length, e.columns.length];
	return Array.isArray(t) && t.length === n && t.every((e) => Array.isArray(e) && e.length === r && e.every((e) => typeof e == "boolean")) ? void 0 : `${e.id} must be ${n} rows of ${r} toggles`;
}
function xa(e, t) {
	let n = {}, r = [];
	for (let i = 0; i < 4; i++) {
		let i = JSON.stringify(n), a = {};
		r = [];
		for (let i of _a(ga(e, n))) {
			let e = Object.hasOwn(t, i.id) ? t[i.id] : void 0, n = e === void 0 ? void 0 : ba(i, e);
			n && r.push(n), a[i.id] = va(e === void 0 || n ? i.value : e);
		}
		if (n = a, JSON.stringify(n) === i) break;
	}
	for (let e of Object.keys(t)) Object.hasOwn(n, e) || r.push(`there is no setting ${e.slice(0, 24)}`);
	return {
		state: n,
		misfits: r
	};
}
function Sa(e) {
	let t = e.log ? Math.log10(e.max / e.min) : e.max - e.min;
	return Math.max(1, Math.round(t / e.step));
}
function Ca(e, t) {
	if (t <= 0) return e.min;
	if (t >= Sa(e)) return e.max;
	let n = e.log ? e.min * 10 ** (t * e.step) : e.min + t * e.step;
	return Math.min(e.max, Math.max(e.min, Number(n.toPrecision(e.log ? 4 : 12))));
}
function wa(e, t) {
	let n = e.log ? Math.log10(t / e.min) : t - e.min;
	return Math.min(Sa(e), Math.max(0, Math.round(n / e.step)));
}
//#endregion
//#region src/controls.ts
var Ta = class {
	change;
	root = Z("div", { class: "controls" });
	parts = /* @__PURE__ */ new Map();
	controls = [];
	state = {};
	constructor(e) {
		this.change = e;
	}
	update(e, t) {
		this.state = t, this.controls = e;
		let n = /* @__PURE__ */ new Map();
		for (let t of e) {
			let e = JSON.stringify({
				...t,
				value: void 0
			}), r = this.parts.get(t.id);
			n.set(t.id, r?.form === e ? r : {
				form: e,
				part: this.make(t)
			});
		}
		this.place([...n.values()].map(({ part: e }) => e.root)), this.parts = n;
		for (let { part: e } of n.values()) e.set(t);
	}
	place(e) {
		for (let t of [...this.root.children]) e.includes(t) || t.remove();
		e.forEach((e, t) => {
			this.root.children[t] !== e && this.root.insertBefore(e, this.root.children[t] ?? null);
		});
	}
	make(e) {
		if (e.kind === "slider") return ka(e, this.change);
		if (e.kind === "choice") return Aa(e, this.change);
		if (e.kind === "grid") return ja(e, this.change);
		let t = () => this.controls.find((t) => t.kind === "button" && t.id === e.id)?.press(this.state);
		return Ma(e, () => this.change(t() ?? {}));
	}
};
function Ea(e) {
	return `festina-${e}-${++Da}`;
}
var Da = 0;
function Oa(e, t) {
	return t.help && (e.title = t.help), e;
}
function ka(e, t) {
	let n = Ea(e.id), r = Z("input", {
		type: "range",
		id: n,
		min: "0",
		max: String(Sa(e)),
		step: "1",
		"data-control": e.id
	}), i = Z("output", { for: n }), a = (t) => (e.format ?? gi)(t) + (e.unit ? ` ${e.unit}` : "");
	return r.addEventListener("input", () => t({ [e.id]: Ca(e, Number(r.value)) })), {
		root: Oa(Z("div", { class: "control slider" }, Z("div", { class: "head" }, Z("label", { for: n }, e.label), i), r), e),
		set: (t) => {
			let n = t[e.id], o = wa(e, n);
			r.value = String(o), r.style.setProperty("--filled", `${100 * o / Sa(e)}%`), i.textContent = a(n), r.setAttribute("aria-valuetext", a(n));
		}
	};
}
function Aa(e, t) {
	let n = Ea(e.id), r = e.options.map((r) => {
		let i = Z("input", {
			type: "radio",
			name: n,
			value: r.value,
			"data-control": e.id
		});
		return i.addEventListener("change", () => t({ [e.id]: r.value })), {
			input: i,
			root: Z("label", {}, i, Z("span", {}, r.label))
		};
	}), i = (t) => {
		for (let { input: n } of r) n.checked = n.value === t[e.id];
	};
	return {
		root: Oa(Z("fieldset", { class: "control choice" }, Z("legend", {}, e.label), ...r.map((e) => e.root)), e),
		set: i
	};
}
function ja(e, t) {
	let n = [], r = e.rows.map((i, a) => e.columns.map((o, s) => {
		let c = Z("button", {
			type: "button",
			"data-control": e.id,
			"data-cell": `${a},${s}`,
			"aria-label": `${i}, ${o}`
		});
		return c.addEventListener("click", () => {
			let r = n.map((e, t) => e.map((e, n) => t === a && n === s ? !e : e));
			t({ [e.id]: r });
		}), c.addEventListener("keydown", (e) => {
			let [t, n] = {
				ArrowDown: [1, 0],
				ArrowUp: [-1, 0],
				ArrowRight: [0, 1],
				ArrowLeft: [0, -1]
			}[e.key] ?? [0, 0], i = r[a + t]?.[s + n];
			i && i !== c && (e.preventDefault(), i.focus());
		}), c;
	})), i = Z("tr", {}, Z("td"), ...e.columns.map((e) => Z("th", { scope: "col" }, e))), a = r.map((t, n) => Z("tr", {}, Z("th", { scope: "row" }, e.rows[n]), ...t.map((e) => Z("td", {}, e)))), o = Z("table", {}, Z("thead", {}, i), Z("tbody", {}, ...a));
	return {
		root: Oa(Z("fieldset", { class: "control grid" }, Z("legend", {}, e.label), Z("div", { class: "scroll" }, o)), e),
		set: (t) => {
			n = t[e.id], r.forEach((e, t) => e.forEach((e, r) => e.setAttribute("aria-pressed", String(n[t]?.[r] ?? !1))));
		}
	};
}
function Ma(e, t) {
	let n = Z("button", {
		type: "button",
		class: "control press",
		"data-control": e.id
	}, e.label);
	return n.addEventListener("click", t), {
		root: Oa(n, e),
		set: () => {}
	};
}
//#endregion
//#region src/worker.ts?worker&inline
var Na = "(function(){function e(e){let t=2654435769,n=608135816,r=e|0,i=1,a=()=>{let e=(t+n|0)+i|0;return i=i+1|0,t=n^n>>>9,n=r+(r<<3)|0,r=(r<<21|r>>>11)+e|0,(e>>>0)/4294967296};for(let e=0;e<20;e++)a();return a}function t(t){let n=e(t),r;return()=>{if(r!==void 0){let e=r;return r=void 0,e}let e=Math.sqrt(-2*Math.log(1-n())),t=2*Math.PI*n();return r=e*Math.sin(t),e*Math.cos(t)}}var n=class e{hidden;points;inputs;outputs;first;second;activity;y;error;places;values;on;back;constructor(e,t){this.hidden=t,this.points=e.x.length,this.inputs=e.x[0].length;let n=Math.ceil(e.y[0].length/4)*4;this.outputs=n,this.first=new Float64Array(t*this.inputs),this.second=new Float64Array(t*n),this.activity=new Float64Array(t*this.points),this.y=new Float64Array(this.points*n),e.y.forEach((e,t)=>this.y.set(e,t*n)),this.error=new Float64Array(this.y.length),this.on=new Int32Array(Math.max(t,this.points)),this.back=new Float64Array(this.points),this.places=e.x.map(e=>Int32Array.from(e.flatMap((e,t)=>e===0?[]:[t]))),this.values=e.x.map(e=>Float64Array.from(e.filter(e=>e!==0)))}static random(n,r,i,a){let o=new e(n,r),s=t(a);for(let e=0;e<o.first.length;e++)o.first[e]=i*s();let c=n.y[0].length;for(let e=0;e<r;e++)for(let t=0;t<c;t++)o.second[e*o.outputs+t]=i*s();return o}static from(t,n){let r=new e(t,n.first.length);return r.first.set(n.first.flat()),n.second.forEach((e,t)=>e.forEach((e,n)=>r.second[n*r.outputs+t]=e)),r}loss(){let{hidden:e,points:t,inputs:n,outputs:r,first:i,second:a,activity:o,error:s,y:c,on:l}=this,u=0;for(let d=0;d<t;d++){let f=this.places[d],p=this.values[d],m=0;for(let r=0;r<e;r++){let e=0;for(let t=0;t<f.length;t++)e+=i[r*n+f[t]]*p[t];o[r*t+d]=e>0?e:0,e>0&&(l[m++]=r)}for(let e=0;e<r;e+=4){let n=d*r+e,i=-c[n],f=-c[n+1],p=-c[n+2],h=-c[n+3];for(let n=0;n<m;n++){let s=l[n],c=o[s*t+d],u=s*r+e;i+=c*a[u],f+=c*a[u+1],p+=c*a[u+2],h+=c*a[u+3]}s[n]=i,s[n+1]=f,s[n+2]=p,s[n+3]=h,u+=i*i+f*f+p*p+h*h}}return u/(2*t)}step(e){let t=this.loss(),{hidden:n,points:r,inputs:i,outputs:a,first:o,second:s,activity:c,error:l,on:u,back:d}=this,f=e/r;for(let e=0;e<n;e++){let t=0;for(let n=0;n<r;n++)c[e*r+n]>0&&(d[t]=0,u[t++]=n);for(let n=0;n<a;n+=4){let i=e*a+n,o=s[i],p=s[i+1],m=s[i+2],h=s[i+3],g=0,_=0,v=0,y=0;for(let i=0;i<t;i++){let t=u[i],s=c[e*r+t],f=t*a+n,b=l[f],x=l[f+1],S=l[f+2],C=l[f+3];g+=s*b,_+=s*x,v+=s*S,y+=s*C,d[i]+=b*o+x*p+S*m+C*h}s[i]=o-f*g,s[i+1]=p-f*_,s[i+2]=m-f*v,s[i+3]=h-f*y}for(let n=0;n<t;n++){let t=this.places[u[n]],r=this.values[u[n]],a=f*d[n];for(let n=0;n<t.length;n++)o[e*i+t[n]]-=a*r[n]}}return t}sizes(){let{hidden:e,points:t,outputs:n,activity:r,second:i}=this;return new Float64Array(e).map((e,a)=>{let o=0,s=0;for(let e=0;e<t;e++)o+=r[a*t+e]**2;for(let e=0;e<n;e++)s+=i[a*n+e]**2;return Math.sqrt(o*s)})}};let r=[[1/5],[3/40,9/40],[44/45,-56/15,32/9],[19372/6561,-25360/2187,64448/6561,-212/729],[9017/3168,-355/33,46732/5247,49/176,-5103/18656],[35/384,0,500/1113,125/192,-2187/6784,11/84]],i=[71/57600,0,-71/16695,71/1920,-17253/339200,22/525,-1/40];function a(e){let t=e*e*(3-2*e),n=(e*(e-1))**2;return[t*35/384+e*(e-1)**2-n*5*(2558722523-31403016*e)/11282082432,0,t*500/1113+n*100*(882725551-15701508*e)/32700410799,t*125/192-n*25*(443332067-31403016*e)/1880347072,t*-2187/6784+n*32805*(23143187-3489224*e)/199316789632,t*11/84-n*55*(29972135-7076736*e)/822651844,e*e*(e-1)+n*10*(7414447-829305*e)/29380423]}function o(e,t,n,o,c,l){let u=t.length,d=Array.from({length:7},()=>new Float64Array(u)),f=Float64Array.from(t),p=new Float64Array(u),m=new Float64Array(u),h=new Float64Array(u),g=new Float64Array(u),_=n[n.length-1]??0,v=0,y=0,b=_/1e3;for(;y<n.length&&n[y]<=0;y++)l(y,f);e(f,d[0]);for(let t=0;y<n.length;t++){if(t>1e5)throw Error(`the integration takes too many steps`);let x=Math.min(b,_-v);for(let t=0;t<6;t++)s(p,f,d,r[t],x),e(p,d[t+1]);s(h,g,d,i,x);let S=0;for(let e=0;e<u;e++){let t=c+o*Math.max(Math.abs(f[e]),Math.abs(p[e])),n=Math.abs(h[e])/t;n<=S||(S=n)}if(!Number.isFinite(S))throw Error(`the integration left the finite numbers`);if(b=x*Math.min(5,Math.max(.2,.9*Math.max(S,1e-10)**-.2)),S>1)continue;let C=x<_-v?v+x:_;for(m.set(p);y<n.length&&n[y]<=C;y++)n[y]<C?s(p,f,d,a((n[y]-v)/x),x):p.set(m),l(y,p);v=C,f.set(m),d[0].set(d[6])}}function s(e,t,n,r,i){for(let a=0;a<r.length;a+=3){let o=a===0?t:e,[s,c,l]=[n[a],n[a+1]??t,n[a+2]??t],[u,d,f]=[i*r[a],i*(r[a+1]??0),i*(r[a+2]??0)];for(let t=0;t<e.length;t++)e[t]=o[t]+u*s[t]+d*c[t]+f*l[t]}}let c=[{square:15,modes:1},{square:7,modes:1},{square:3,modes:2},{square:1,modes:4}],l=Math.sqrt(8);function u(e){let t=(Math.sqrt(e+1)-1)/e;return Array.from({length:e},(n,r)=>new Float64Array(e).map((e,n)=>t+ +(n===r)))}function d(e,t){let n=8*e,r=[],i=[];for(let{square:a,modes:o}of c){let s=Math.sqrt(a)/n,l=a===c[0].square;for(let n=0;n<o;n++){if(l&&t===e){r.push(s*Math.sqrt((e+1)*(e+8)));for(let t=1;t<e;t++)r.push(s*Math.sqrt(8))}else r.push(s*Math.sqrt(t*t+t));l||i.push(s*Math.sqrt(t*(e-t)/e))}}return{raw:r.sort((e,t)=>t-e),left:i.sort((e,t)=>t-e)}}function f(e,t,n,r,i=1e-7){let a=r.map(()=>0),s=t.map(()=>r.map(()=>0)),d=8*e,f=u(e),g=t.map((e,t)=>t).filter(e=>t[e].some(Boolean));for(let{square:u,modes:_}of c){let v=Math.sqrt(u),y=p(e,g.map(e=>t[e]),u===c[0].square),b=m(e,y,f,Math.sqrt(n)),x=Float64Array.from(f.flatMap(e=>Array.from(e,e=>v*e))),S=new Float64Array(x.length),C=y.map(({hidden:t})=>new Float64Array(t>1?t*e:0)),w=new Float64Array(e),T=t=>{S.set(x);for(let n=0;n<y.length;n++){let{at:r,out:i,hidden:a,features:o,open:s}=y[n];if(a===1){let n=t[r];for(let r=0;r<e;r++){let a=n*t[i+r];for(let t=0;t<s.length;t++)S[s[t]*e+r]-=a}continue}let c=C[n];for(let n=0;n<a;n++){let a=r+n*o;for(let r=0;r<e;r++){let o=t[a]+l*t[a+r+1];c[n*e+r]=o;for(let a=0;a<e;a++)S[r*e+a]-=o*t[i+n*e+a]}}}};o((t,n)=>{T(t);for(let r=0;r<y.length;r++){let{at:i,out:a,hidden:o,features:s,open:c}=y[r];if(o===1){let r=t[i]/d,o=0;for(let i=0;i<e;i++){let s=0;for(let t=0;t<c.length;t++)s+=S[c[t]*e+i];n[a+i]=r*s,o+=t[a+i]*s}n[i]=o/d;continue}let u=C[r];for(let r=0;r<o;r++){let o=i+r*s;w.fill(0);let c=0;for(let i=0;i<e;i++){let s=u[r*e+i],f=0;for(let n=0;n<e;n++){let o=S[i*e+n];f+=t[a+r*e+n]*o,w[n]+=s*o}c+=f,n[o+i+1]=l*f/d}n[o]=c/d;for(let t=0;t<e;t++)n[a+r*e+t]=w[t]/d}}},b,r,i,i*Math.sqrt(n),(t,n)=>{T(n);let r=0;for(let e of S)r+=e*e;a[t]+=_*r/(2*d),y.forEach((r,i)=>s[g[i]][t]+=_*h(r,n,e))})}return{times:[...r],loss:a,strengths:s.map(e=>e.map(Math.sqrt))}}function p(e,t,n){let r=0;return t.map(t=>{let[i,a]=n&&t.every(Boolean)?[e,e+1]:[1,1],o=Array.from(t.keys()).filter(e=>t[e]),s={at:r,out:r+i*a,hidden:i,features:a,open:o};return r+=i*(a+e),s})}function m(e,t,n,r){let i=t.at(-1),a=new Float64Array(i?i.at+i.hidden*(i.features+e):0);for(let{at:i,out:o,hidden:s,features:c,open:u}of t)if(s>1){let t=Math.sqrt(e+8);for(let n=0;n<s;n++){a[i+n*c]=r/t;for(let o=0;o<e;o++)a[i+n*c+o+1]=r*(+(n===o)-(1-l/t)/e);a[o+n*e+n]=r}}else{let t=0;for(let r=0;r<e;r++){let e=0;for(let t of u)e+=n[t][r];a[o+r]=e,t+=e*e}for(let n=0;n<e;n++)a[o+n]*=r/Math.sqrt(t);a[i]=r}return a}function h({at:e,out:t,hidden:n,features:r},i,a){let o=0;for(let s=0;s<a;s++)for(let c=0;c<r;c++){let l=0;for(let o=0;o<n;o++)l+=i[t+o*a+s]*i[e+o*r+c];o+=l*l}return o}function g(e){let t=[[-1,-1],[1,-1],[-1,1],[1,1]];return{x:t.map(([t,n])=>[t,n,-t*n*e]),y:t.map(([e,t])=>[-e*t])}}function _(e){let t=u(e),n=v(),r=[],i=[];for(let a=0;a<e;a++)for(let o=0;o<8;o++){let s=Array(8+e).fill(0);s[o]=1,s[8+a]=1,r.push(s),i.push(n.flatMap(({sigma:e,vector:n})=>Array.from(t[a],t=>e*n[o]*t)))}return{x:r,y:i}}function v(){return c.flatMap(({square:e,modes:t},n)=>{let r=n===0?8:8/t;return Array.from({length:t},(t,i)=>{let a=Array.from({length:8},(e,t)=>Math.floor(t/r)===i?(n>0&&t%r>=r/2?-1:1)/Math.sqrt(r):0);return{sigma:Math.sqrt(e),vector:a}})})}function y(e,t){let n=e[t];if(typeof n!=`number`)throw Error(`state has no number ${t}`);return n}function b(e,t){let n=e[t];if(typeof n!=`string`)throw Error(`state has no word ${t}`);return n}function x(e,t){let n=e[t];if(!Array.isArray(n))throw Error(`state has no grid ${t}`);return n}function S(e,t,n){for(let r=0;r<t.length;r++){if(!(t[r]<=n))continue;if(r===0)return e[0];let i=(t[r-1]-n)/(t[r-1]-t[r]);return e[r-1]+i*(e[r]-e[r-1])}return 1/0}function C(e,t,n){let r=Math.min(e.length,t.length,n.length),i=0,a=0;for(let o=1;o<r;o++){let r=(e[o]-e[o-1])/2;i+=r*(Math.abs(t[o]-n[o])+Math.abs(t[o-1]-n[o-1])),a+=r*(n[o]+n[o-1])}return a>0?i/a:NaN}let w=.05;function T(e){let[t,n]=[y(e,`contexts`),y(e,`units`)],r=y(e,`scale`)/n,i=.032*t;return{contexts:t,units:n,std:r,rate:i,start:Math.floor(n/2)*r*r/2,every:10,times:Array.from({length:201},(e,t)=>t*10*i)}}function E(e,t){let n=t=>Array.from({length:e},(e,n)=>t(n)),r=Array.from({length:e},(e,t)=>t),i=r.map(t=>n(n=>n!==e-1-t)),a=r.map(e=>n(t=>t===e)),o=[n(()=>!0)];for((t===`but_one`||t===`all`)&&o.push(...i),(t===`single`||t===`all`&&e>2)&&o.push(...a);o.length<D(e);)o.push(n(()=>!1));return o}function D(e){return e>2?2*e+1:3}let O;function ee(e,t){let n=JSON.stringify([e.contexts,e.start,t]);return O?.key!==n&&(O={key:n,race:f(e.contexts,t,e.start,e.times)}),O.race}function*te(e){let{contexts:t,units:r,std:i,rate:a,every:o,times:s}=T(e),c=_(t),l=Array.from({length:3},(e,t)=>n.random(c,r,i,t)),u=l.map(e=>[e.loss()]),d=3*o*3*(8*t)**2*r,f=Math.max(1,Math.round(2e7/d));for(let e=1;e<s.length;e++)l.forEach((e,t)=>{for(let t=0;t<o;t++)e.step(a);u[t].push(e.loss())}),e%f===0&&e<s.length-1&&(yield{losses:u.map(e=>[...e])});yield{losses:u,shares:ne(l,t)}}function ne(e,t){let n=Array(t-1).fill(0);for(let r of e){let i=Array(t).fill(0),a=r.sizes();for(let e=0;e<r.hidden;e++){let n=Array.from({length:t},(t,n)=>{let i=0;for(let t=0;t<8;t++)i+=r.activity[e*r.points+n*8+t];return i}),o=Math.max(...n),s=n.filter(e=>e>.1*o).length;s>0&&(i[s-1]+=a[e])}let o=i.slice(0,-1).reduce((e,t)=>e+t,0);o>0&&n.forEach((t,r)=>n[r]+=i[r]/o/e.length)}return n}function re(e,t){if(e===t)return{label:`common, open in all contexts`,colour:6,dash:`solid`};let n=e===1?`open in 1 context`:`open in ${e} contexts`;return e===t-1?{label:n,colour:1,dash:`dash`}:e===1?{label:n,colour:0,dash:`dot`}:{label:n,colour:e===2?2:3,dash:`dashdot`}}let ie=e=>`${Math.round(100*e)}\\u00a0%`,k=[`no`,`one`,`two`,`three`,`four`,`five`];function ae(e,t){let n=Array(t+1).fill(0);for(let t of e)n[t.filter(Boolean).length]++;let r=[];n[t]&&r.push(n[t]===1?`a common pathway`:`${n[t]} common pathways`);for(let e=t-1;e>0;e--){let t=n[e];if(!t)continue;let i=t===1?``:` each`;r.push(`${k[t]??t} open in ${e===1?`one context`:`${k[e]} contexts`}${i}`)}let i=r.pop();return i===void 0?`no pathway at all`:r.length?`${r.join(`, `)} and ${i}`:i}let oe={id:`contexts`,title:`Contexts`,question:`Which pathways does a ReLU network share between contexts?`,paper:{text:`Jarvis, Klein, Rosman and Saxe 2025, sections 4 and 5`,href:`https://arxiv.org/abs/2503.06181`},theory:{text:`Eight items have properties that all contexts share and properties that belong to one context, each block a hierarchy. A gated network has pathways that are open in some of the contexts. One that is open in all sees items and contexts; the others see items only. All start at the strength nσ²/2 of half of the ReLU network's units, because a random unit is on at any data point with probability ½, and are integrated jointly from the start. On what the common pathway leaves, pathways open in one context and in all but one would be equally fast; but those open in more contexts see more of the raw targets while the common one is still learning, and start ahead. Gates are fixed here; a ReLU network's are not, and it agrees the less the more contexts there are.`,equations:[`dB_p/dt = Σ_{c∈p} (y_c − Σ_{j∋c} B_j A_j) A_pᵀ / N, and likewise A_p; N = 8C`,`S of a pathway open in k contexts, raw targets: σ √(k² + k) / N`,`S on what the common pathway leaves: σ √(k (1 − k/C)) / N`,`σ² of the hierarchy: 15, 7, 3 (twice), 1 (four times)`]},controls(e){let t=typeof e.contexts==`number`?e.contexts:3,n={kind:`grid`,id:`gates`,label:`Open in context`,help:`Each row is a pathway; click where it is to be open. A row without any is no pathway.`,rows:Array.from({length:D(t)},(e,t)=>`pathway ${t+1}`),columns:Array.from({length:t},(e,t)=>`${t+1}`),value:E(t,`but_one`)},r=(e,t,n)=>({kind:`button`,id:e,label:t,help:n,press:t=>({gates:E(y(t,`contexts`),e)})});return[{kind:`slider`,id:`contexts`,label:`Contexts C`,help:`How many contexts the eight items appear in.`,min:2,max:5,step:1,value:3},n,r(`but_one`,`All but one`,`A common pathway, and one closed in each context: what the paper finds.`),r(`single`,`Single`,`A common pathway, and one for each context alone.`),r(`all`,`Both kinds`,`A common pathway, those closed in one context and those open in one, racing.`),r(`common`,`Common alone`,`One pathway that is always open: a linear network.`),{kind:`slider`,id:`scale`,label:`Initial scale σN`,help:`Standard deviation σ of an initial weight times the number N of hidden units; 0.005 in the paper.`,min:.001,max:1,step:.1,value:.005,log:!0},{kind:`slider`,id:`units`,label:`Hidden units N`,help:`Width of the ReLU networks; the paper has 500 to 700, which takes longer to train here.`,min:50,max:500,step:50,value:200}]},view(e,t){let n=T(e),{contexts:r,units:i,times:a}=n,o=x(e,`gates`),s=ee(n,o),c=o.map(e=>e.filter(Boolean).length),l=S(a,s.loss,w*4),u=s.loss.at(-1),f=(t?.losses??[]).map((e,t)=>({label:t?`ReLU network, seed ${t}`:`ReLU networks, ${i} units`,x:a.slice(0,e.length),y:e,colour:6,width:1.25,quiet:t>0})),p=t?.shares&&a.map((e,n)=>t.losses.reduce((e,t)=>e+t[n],0)/t.losses.length),m=p&&C(a,s.loss,p),h=p&&S(a,p,w*4),g=/* @__PURE__ */ new Set,_=[];o.forEach((e,t)=>{let n=c[t];if(n===0)return;let i=re(n,r);_.push({...i,label:g.has(n)?`${i.label}, pathway ${t+1}`:i.label,quiet:g.has(n),y:s.strengths[t]}),g.add(n)});let v=[...g].sort((e,t)=>t-e),y=g.has(r),b=v.flatMap(e=>{let{label:t,colour:n}=re(e,r),{raw:i,left:a}=d(r,e),o=Array.from(i.keys(),e=>e+1),s=[{label:e===r?t:`${t}, raw targets`,x:o,y:i,colour:n}];return y&&e<r&&s.push({label:`${t}, what is left`,x:o.slice(0,a.length),y:a,colour:n,dash:e===r-1?`dash`:`dot`}),s}),E=[{id:`time`,label:`this gating, flow time to ${ie(w)} of the loss`,value:l,format:se},...h===void 0?[]:[{id:`time_relu`,label:`ReLU networks, the same`,value:h,format:se}],{id:`loss_end`,label:`this gating, last loss`,value:u},...m===void 0?[]:[{id:`area`,label:`area between the loss curves`,value:m,format:e=>e.toFixed(3)}]],D=v.find(e=>e<r);if(D!==void 0){let{raw:e,left:t}=d(r,D);E.push({id:`s_raw`,label:`S₁, raw targets, ${re(D,r).label}`,value:e[0]}),y&&E.push({id:`s_left`,label:`S₁, on what the common one leaves`,value:t[0]})}return{sentence:ce(o,n,{learned:l,end:u,gap:m,taught:h},t?.shares),numbers:E,charts:[{kind:`lines`,id:`loss`,title:`Loss`,wide:!0,x:{label:`flow time (step size × steps)`,values:a,range:[0,a.at(-1)]},y:{label:`loss`,range:[0,4.4]},lines:[{label:`this gating, predicted by the race`,y:s.loss,colour:1,width:4},...f],marks:[{axis:`y`,at:w*4,label:`learned`}]},{kind:`lines`,id:`strengths`,title:`What each pathway carries`,x:{label:`flow time (step size × steps)`,values:a,range:[0,a.at(-1)]},y:{label:`strength ‖W‖ of its map`},lines:_},{kind:`lines`,id:`values`,title:`Effective singular values`,x:{label:`mode of the pathway`,values:Array.from({length:8+r-1},(e,t)=>t+1)},y:{label:`singular value S`},lines:b}]}},live:{label:`Train ${k[3]} ReLU networks`,key:e=>[`contexts`,`scale`,`units`].map(t=>e[t]).join(),run:te},python(e){let{contexts:t,units:n,times:r}=T(e),i=x(e,`gates`).filter(e=>e.some(Boolean)),a=[`import numpy as np`,`import festina as fs`,``,`task = fs.tasks.context(${t})`];if(!i.length)return[...a,`numbers = {\"time\": np.inf, \"loss_end\": task.statistics.power / 2}`].join(`\n`);let o=i.map(e=>e.filter(Boolean).length),s=Math.max(0,...o.filter(e=>e<t)),c=[...a,`open_in = np.array([${i.map(e=>`[${e.map(Number).join(`, `)}]`).join(`, `)}])`,`std, units = ${y(e,`scale`)} / ${n}, ${n}`,`gates = np.repeat(open_in, 8, axis=1)`,`always = open_in.all(axis=1)`,`inputs = [None if a else range(8) for a in always]`,`widths = [${8+t-1} if a else 8 for a in always]`,`start = fs.gated.expected(std, {f\"pathway {i + 1}\": units // 2 for i in range(len(gates))})`,`network = fs.gated.pathways(gates, widths, inputs=inputs, initial=start)`,`times = np.linspace(0, ${r.at(-1)}, ${r.length})`,`loss = fs.evolve(network, task, times, method=fs.Race()).loss`,`numbers = {`,`    \"time\": fs.gated.first_passage(times, loss, ${w} * task.statistics.power / 2),`,`    \"loss_end\": float(loss[-1]),`,`}`];if(s>0){let e=`pathway ${o.indexOf(s)+1}`;c.push(`def largest(task):`,`    statistics = task.statistics(network)`,`    p = [label.split(\" → \")[1] for label in statistics.labels].index(\"${e}\")`,`    return float(statistics.effective[p].strengths[0])`,`numbers[\"s_raw\"] = largest(task)`),o.includes(t)&&c.push(`linear = np.linalg.lstsq(task.x, task.y, rcond=None)[0]`,`numbers[\"s_left\"] = largest(fs.Task(task.x, task.y - task.x @ linear))`)}return c.join(`\n`)}},se=e=>Number.isFinite(e)?e.toFixed(1):`not in the time shown`;function ce(e,{contexts:t,times:n},{learned:r,end:i,gap:a,taught:o},s){let c=ae(e,t),l=Number.isFinite(r)?`With ${c}, the gated network has learned ${k[t]} contexts at flow time ${r.toFixed(0)}`:`With ${c}, the gated network still has loss ${i.toFixed(2)} of 4 at flow time ${n.at(-1).toFixed(0)}`;if(a===void 0||!s)return`${l}.`;let u=o!==void 0&&Number.isFinite(o)?`at ${o.toFixed(0)}`:`not yet`,d=s.indexOf(Math.max(...s))+1,f=d===1?`a single context`:`${k[d]} contexts`;return`${l}, ReLU networks ${u}; the area between their loss curves is ${ie(a)} of that below the ReLU networks'. ${ie(s[d-1])} of the ReLU networks' contextual activity is in units on in ${f}.`}function A(e,t){return{rows:e,columns:t,data:new Float64Array(e*t)}}function le(e){let t=A(e,e);for(let n=0;n<e;n++)t.data[n*e+n]=1;return t}function ue(e){let t=A(e.length,e[0]?.length??0);return e.forEach((e,n)=>t.data.set(e,n*t.columns)),t}function j(e){return Array.from({length:e.rows},(t,n)=>Array.from(e.data.subarray(n*e.columns,(n+1)*e.columns)))}function de(e){return{rows:e.rows,columns:e.columns,data:e.data.slice()}}function fe(e,t){return Array.from({length:e.rows},(n,r)=>e.data[r*e.columns+t])}function M(e){let t=A(e.columns,e.rows);for(let n=0;n<e.rows;n++)for(let r=0;r<e.columns;r++)t.data[r*e.rows+n]=e.data[n*e.columns+r];return t}function N(e,t,n=A(e.rows,t.columns)){let{rows:r,columns:i}=e,a=t.columns,o=n.data;o.fill(0);for(let n=0;n<r;n++)for(let r=0;r<i;r++){let s=e.data[n*i+r];if(s!==0)for(let e=0;e<a;e++)o[n*a+e]+=s*t.data[r*a+e]}return n}function P(e,t,n=A(e.columns,t.columns)){let r=n.data;r.fill(0);for(let n=0;n<e.rows;n++)for(let i=0;i<e.columns;i++){let a=e.data[n*e.columns+i];if(a!==0)for(let e=0;e<t.columns;e++)r[i*t.columns+e]+=a*t.data[n*t.columns+e]}return n}function F(e,t,n=A(e.rows,t.rows)){let r=e.columns;for(let i=0;i<e.rows;i++)for(let a=0;a<t.rows;a++){let o=0;for(let n=0;n<r;n++)o+=e.data[i*r+n]*t.data[a*r+n];n.data[i*t.rows+a]=o}return n}function I(e,t){return{rows:e.rows,columns:e.columns,data:e.data.map(e=>t*e)}}function L(e,t){let n=0;for(let r=0;r<e.data.length;r++)n+=e.data[r]*t.data[r];return n}function pe(e){let t=0;for(let n=0;n<Math.min(e.rows,e.columns);n++)t+=e.data[n*e.columns+n];return t}function R(e,t,n,r,i,a,o){for(let s=0;s<n;s++){let n=e[s*t+r],c=e[s*t+i];e[s*t+r]=a*n-o*c,e[s*t+i]=o*n+a*c}}function me(e,t){let n=e/(2*t),r=Math.abs(n)>1e150?Math.abs(n):Math.sqrt(1+n*n);return(n>=0?1:-1)/(Math.abs(n)+r)}function he(e){let t=e.rows,n=de(e),r=le(t),i=(e,r)=>n.data[e*t+r];for(let e=0;e<60;e++){let e=!1;for(let a=0;a<t-1;a++)for(let o=a+1;o<t;o++){let s=i(a,o);if(Math.abs(s)<=2**-52*.25*Math.sqrt(Math.abs(i(a,a)*i(o,o)))||s===0||Math.abs(s)<1e-300)continue;e=!0;let c=me(i(o,o)-i(a,a),s),l=1/Math.sqrt(1+c*c),u=c*l;R(n.data,t,t,a,o,l,u);for(let e=0;e<t;e++){let r=i(a,e),s=i(o,e);n.data[a*t+e]=l*r-u*s,n.data[o*t+e]=u*r+l*s}n.data[a*t+o]=n.data[o*t+a]=0,R(r.data,t,t,a,o,l,u)}if(!e)break}let a=Array.from({length:t},(e,t)=>t).sort((e,t)=>i(t,t)-i(e,e));return{values:Float64Array.from(a,e=>i(e,e)),vectors:ge(r,a)}}function ge(e,t){let n=A(e.rows,t.length);for(let r=0;r<e.rows;r++)t.forEach((i,a)=>n.data[r*t.length+a]=e.data[r*e.columns+i]);return n}function z(e){if(e.rows<e.columns){let{left:t,values:n,right:r}=z(M(e));return{left:r,values:n,right:t}}let{rows:t,columns:n}=e,r=de(e),i=le(n);for(let e=0;e<60;e++){let e=!1;for(let a=0;a<n-1;a++)for(let o=a+1;o<n;o++){let[s,c,l]=[0,0,0];for(let e=0;e<t;e++){let t=r.data[e*n+a],i=r.data[e*n+o];s+=t*t,c+=i*i,l+=t*i}if(l===0||Math.abs(l)<=2*2**-52*Math.sqrt(s*c))continue;e=!0;let u=me(c-s,l),d=1/Math.sqrt(1+u*u);R(r.data,n,t,a,o,d,u*d),R(i.data,n,n,a,o,d,u*d)}if(!e)break}let a=Array.from({length:n},(e,t)=>Math.hypot(...fe(r,t))),o=a.map((e,t)=>t).sort((e,t)=>a[t]-a[e]),s=Float64Array.from(o,e=>a[e]),c=ge(r,o),l=2**-52*Math.max(t,n)*(s[0]??0),u=[];for(let e=0;e<n;e++){s[e]>l&&u.push(e);for(let r=0;r<t;r++)c.data[r*n+e]/=s[e]>l?s[e]:1/0}return{left:_e(c,u),values:s,right:ge(i,o)}}function _e(e,t){let n=de(e),r=[...t],i=0;for(let a=0;a<e.columns;a++)if(!t.includes(a)){for(;i<e.rows;i++){let t=new Float64Array(e.rows);t[i]=1;for(let i=0;i<2;i++)for(let i of r){let r=0;for(let a=0;a<e.rows;a++)r+=t[a]*n.data[a*e.columns+i];for(let a=0;a<e.rows;a++)t[a]-=r*n.data[a*e.columns+i]}let o=Math.hypot(...t);if(!(o<.5/Math.sqrt(e.rows))){for(let r=0;r<e.rows;r++)n.data[r*e.columns+a]=t[r]/o;break}}r.push(a)}return n}function ve(e){let t=z(e),n=e=>{let t=A(e.rows,e.rows);for(let n=0;n<e.rows;n++)for(let r=0;r<e.columns;r++)t.data[n*e.rows+r]=e.data[n*e.columns+r];return _e(t,Array.from({length:e.columns},(e,t)=>t))};return{left:n(t.left),values:t.values,right:n(t.right)}}function ye(e,t=A(e.rows,e.columns)){let{rows:n,columns:r,data:i}=e,a=new Float64Array(r);for(let e=0;e<r;e++){let t=0;for(let a=e;a<n;a++)t=Math.max(t,Math.abs(i[a*r+e]));if(t===0)continue;let o=0;for(let a=e;a<n;a++)o+=(i[a*r+e]/t)**2;let s=t*Math.sqrt(o),c=i[e*r+e],l=c>0?-s:s,u=c-l;for(let t=e+1;t<n;t++)i[t*r+e]/=u;a[e]=-u/l,i[e*r+e]=l;for(let t=e+1;t<r;t++){let o=i[e*r+t];for(let a=e+1;a<n;a++)o+=i[a*r+e]*i[a*r+t];o*=a[e],i[e*r+t]-=o;for(let a=e+1;a<n;a++)i[a*r+t]-=o*i[a*r+e]}}t.data.fill(0);for(let e=0;e<r;e++)t.data[e*r+e]=1;for(let e=r-1;e>=0;e--)for(let o=e;o<r;o++){let s=t.data[e*r+o];for(let a=e+1;a<n;a++)s+=i[a*r+e]*t.data[a*r+o];s*=a[e],t.data[e*r+o]-=s;for(let a=e+1;a<n;a++)t.data[a*r+o]-=s*i[a*r+e]}return t}function be(e,t,n,r){let{s:i,d:a}=t;if(r===1)return e.map(e=>n*Math.exp(-a*e)-i/a*Math.expm1(-a*e));if(r===2)return e.map(e=>xe(e,t,n,0)[0]);let o=i/a,s=n/o;if(r===1/0)return Te(e,t,n);let c=r*i*o**(1-2/r);if(s===0||s===1)return e.map(()=>n);if(s<1){let t=Ae(s,2/r-1);return e.map(e=>e>0?o*t(c*e):n)}let l=Ae(s,2-2/r);return e.map(e=>e>0?o/l(c*e):n)}function xe(e,{s:t,d:n},r,i){let a=r*i,o=Math.hypot(t,2*n*Math.sqrt(r)*Math.sqrt(i)),s=o>0?Math.exp(-2*o*e):1,c=o>0?-Math.expm1(-2*o*e)*n/o:n>0?2*n*e:0,l=o>0?(t+o)/(2*o):.5,u=o>0?2*n*n*a/(o*(o+t)):.5,d=(e,t,n)=>e>0?(e*(t+n*s)+(a>0?a*c:0))/(e*c+t*s+n):0;return[d(r,l,u),d(i,u,l)]}function Se(e,t,n,r){let i=Math.hypot(r,2*n),a=n>=0?(i+2*n)/4:r**2/(4*(i-2*n)||1),o=n<0?(i-2*n)/4:r**2/(4*(i+2*n)||1);return e.map(e=>{let[n,r]=xe(e,t,a,o);return n-r})}function Ce(e,{s:t,d:n},r,i){let a=t/n;if(!(r<=e&&e<a||r>=e&&e>a)||!(r>0||i===1))return e===r?0:1/0;let[o,s]=[e/a,r/a];if(i===1)return Math.log1p((o-s)/(1-o))/n;if(i===2)return Math.log1p((o-s)/(s*(1-o)))/(2*t);let c=s>1,l=ke(c?2-2/i:2/i-1),u=e=>{let t=c?Math.abs(1-e)/e:Math.abs(1-e);return l(c?1/e:e,t,Math.log(t))};return(u(o)-u(s))/((i===1/0?1:i)*t*a**(1-2/i))}function we({s:e,d:t},n){return 1/(t*n*(e/t)**(2-2/n))}function Te(e,{s:t,d:n},r){let i=t/(n*r)-1;if(r===0||i===0||!Number.isFinite(i))return e.map(()=>r);if(i<0){let i=Ae(n*r/t,2);return e.map(e=>e>0?t/n/i(t*t/n*e):r)}return e.map(e=>e>0?t/n/(1+Ee(Math.log(i)+i-t*t/n*e)):r)}function Ee(e){if(e===-1/0)return 0;if(e<-50)return Math.exp(e);let t=e<1?Math.exp(Math.min(e,0))/(1+Math.exp(Math.min(e,0)))+1e-300:e-Math.log(e);for(let n=0;n<200;n++){let n=(t+Math.log(t)-e)/(1+t);if(t*=Math.exp(-n),Math.abs(n)<1e-15*(1+1/t)||Math.abs(n)<1e-16)break}return t}function De(e){let[t,n]=[0,e];for(;n<10;n++)t-=1/n;let r=1/(n*n),i=r*(1/12-r*(1/120-r*(1/252-r*(1/240-r*(1/132-r*691/32760)))));return t+Math.log(n)-.5/n-i}function Oe(e,t){return Math.abs(e)>.25?t**e/e:e?Math.expm1(e*Math.log(t))/e:Math.log(t)}function ke(e){let t=/* @__PURE__ */ new Float64Array(64),n=/* @__PURE__ */ new Float64Array(64),r=-.5772156649015329;for(let i=0;i<64;i++)t[i]=r-De(e+Math.max(i,2)),n[i]=(e+i)/(i+1),r+=1/(i+1);return(r,i,a)=>{let o=0;if(r<.5){let t=r**(e+2);for(let n=0;n<64&&t>1e-18*o;n++)o+=t/(e+2+n),t*=r}else{let s=1;o=i;for(let e=0;e<64;e++){let r=s*(t[e]-a);if(o+=r,s*=n[e]*i,e>2&&Math.abs(r)<1e-18*Math.abs(o))break}o*=r**e}return Oe(e,r)+Oe(e+1,r)+o}}function Ae(e,t){let n=ke(t),r=e>1?(e-1)/e:1-e,i=e>1?1/e:e,a=Math.log(i)-Math.log(r),o=n(i,r,Math.log(r));return e=>{if(e===1/0)return 1;let s=e*i**-t;if(!(s>1e-9))return i+i*r*s;let c=a+Math.min(e,s),l=a+Math.max(e,s),u=i**t+t*e,d=u>0?Math.log(u)/(t||1):0;d=u>0&&d<0?d-Math.log1p(-Math.exp(Math.min(d,-1e-12))):e+a;let f=Math.min(Math.max(Number.isFinite(d)?d:a,c),l),p=i;for(let r=0;r<200;r++){let r=1/(1+Math.exp(-f)),i=1/(1+Math.exp(f)),a=n(r,i,f>0?-f-Math.log1p(Math.exp(-f)):-Math.log1p(Math.exp(f)))-(o+e),s=a*r**-t;p=r-r*i*s,a<=0&&(c=f),a>=0&&(l=f);let u=f-s;if(!(Math.abs(s)>1e-9+4*2**-52*Math.abs(f)))break;f=u>=c&&u<=l?u:.5*(c+l)}return p}}let je=4*2**-52;function Me({first:e,second:t,cross:n,curvature:r,lambda:i}){let{left:a,values:o,right:s}=ve(n),c=o[0]??0,l=2**-52*Math.max(n.rows,n.columns)*c,u=o.map(e=>e>l?e:0);for(let e=0;e<u.length;){let t=e+1;for(;t<u.length&&u[t-1]-u[t]<=4*u.length*2**-52*c;)t++;let n=u.slice(e,t).reduce((e,t)=>e+t,0)/(t-e);u.fill(n,e,t),e=t}let d=r*Math.abs(i)/2,[f,p]=[new Float64Array(u.length),new Float64Array(u.length)];u.forEach((e,t)=>{let n=Math.hypot(e,d),r=n>0?Math.hypot(n+d,e):1;f[t]=n>0?(n+d)/r:1,p[t]=e/r});let m=Math.sqrt(r);return{left:a,right:s,s:u,large:f,small:p,qv:I(P(s,M(e)),m),qu:I(P(a,t),m)}}function Ne(e){return Math.sqrt(L(e,e))}function Pe(e,t){let{s:n,qv:r,qu:i}=e,a=n.length,o=r.columns,[s,c]=t>=0?[e.small,e.large]:[e.large,e.small],l=i.rows>a?i:r,u=i.rows>a?t/2:-t/2,d=a+a+l.rows-a,f=A(d,o),p=new Float64Array(d),m=new Float64Array(d),h=new Float64Array(d),[g,_]=[Ne(r),Ne(i)],v=je*Math.sqrt(d),y=Math.abs(t)/2;for(let e=0;e<a;e++){for(let t=0;t<o;t++){let[n,l]=[r.data[e*o+t],i.data[e*o+t]];f.data[e*o+t]=s[e]*n+c[e]*l,f.data[(a+e)*o+t]=c[e]*n-s[e]*l}p[e]=v*(s[e]*g+c[e]*_),p[a+e]=v*(c[e]*g+s[e]*_),h[e]=Math.hypot(n[e],y),h[a+e]=-h[e],m[e]=m[a+e]=h[e]>0?n[e]*(n[e]/(h[e]+y)):0}for(let e=a;e<l.rows;e++)f.data.set(l.data.subarray(e*o,(e+1)*o),(a+e)*o),p[a+e]=v*Ne(l),h[a+e]=u;return{m:f,noise:p,grows:Array.from({length:d},(e,t)=>t<a?h[t]>0:t>=2*a&&u>0),excess:m,phi:h}}function Fe({m:e,noise:t,grows:n,excess:r,phi:i}){let{rows:a,columns:o}=e,s=e=>n[e]?r[e]:i[e],c=Array.from({length:a},(e,t)=>t);c.sort((e,t)=>n[e]===n[t]?s(t)-s(e)||e-t:n[e]?-1:1);let l=[];c.forEach((e,t)=>{let r=c[t-1];r!==void 0&&s(r)===s(e)&&n[r]===n[e]?l[l.length-1].push(e):l.push([e])});let u=new Int32Array(a),d=[],f=[],p=t=>e.data.subarray(t*o,(t+1)*o);l.forEach((e,n)=>{for(let t of e)u[t]=n;let r=d.length,i=e.map(e=>Ie(p(e),d)),a=e.map(e=>t[e]+Le(p(e),d,f,p,t)),s=new Set(e.keys());for(let e of[...s])V(i[e])>a[e]||s.delete(e);for(;s.size&&d.length<o;){let t=[...s].reduce((e,t)=>V(i[t])>V(i[e])?t:e),n=V(i[t]);if(!(n>a[t]))break;let o=i[t].map(e=>e/n);d.push(o),f.push(e[t]),s.delete(t);for(let e of s)i[e]=Ie(i[e],d.slice(r))}});let m=A(d.length,a);return d.forEach((e,t)=>{for(let n=0;n<a;n++)m.data[t*a+n]=u[n]<u[f[t]]?0:B(e,p(n))}),{hat:m,leads:f}}function B(e,t){let n=0;for(let r=0;r<e.length;r++)n+=e[r]*t[r];return n}function V(e){return Math.sqrt(B(e,e))}function Ie(e,t){let n=Float64Array.from(e);for(let e=0;e<2;e++){let e=t.map(e=>B(n,e));t.forEach((t,r)=>{for(let i=0;i<n.length;i++)n[i]-=e[r]*t[i]})}return n}function Le(e,t,n,r,i){let a=new Float64Array(t.length),o=0;for(let s=t.length-1;s>=0;s--){let c=B(t[s],e);for(let e=s+1;e<t.length;e++)c-=B(t[s],r(n[e]))*a[e];a[s]=c/B(t[s],r(n[s])),o+=Math.abs(a[s])*i[n[s]]}return o}function Re({grows:e,excess:t,phi:n},{hat:r,leads:i},a){let o=n.length,s=i.length,c=o+s,[l,u,d,f]=[o,o,o,c].map(e=>new Float64Array(e)),p=new Float64Array(c*s),m=new Int32Array(c),h=A(c,s),g=A(c,s),_=new Float64Array(o*s),v=n.map(e=>Math.abs(e));return y=>{let b=a*y,x=Math.sqrt(y);for(let r=0;r<o;r++){let i=2*v[r]*y;l[r]=.5*Math.log(i>0?-Math.expm1(-i)/i:1),u[r]=(e[r]?t[r]*y:0)+l[r],d[r]=n[r]<0?Math.exp(-i/2):1}p.fill(0),f.fill(0);for(let t=0;t<s;t++){let n=i[t],a=0;for(let i=0;i<o;i++){let c=r.data[t*o+i];if(c===0)continue;let l=u[i]-u[n]-(!e[i]&&e[n]?b:0),d=l<0?c*Math.exp(l):c;p[i*s+t]=d,a=Math.max(a,Math.abs(d))}let l=Math.exp(-u[n]-(e[n]?b:0))/x;p[(c-1-t)*s+t]=l,a=Math.max(a,l);for(let e=0;e<c;e++){let n=p[e*s+t]/a;p[e*s+t]=n,Math.abs(n)>f[e]&&(f[e]=Math.abs(n))}}for(let e=0;e<c;e++){let t=e;for(;t>0&&f[m[t-1]]<f[e];t--)m[t]=m[t-1];m[t]=e}for(let e=0;e<c;e++)for(let t=0;t<s;t++)h.data[e*s+t]=p[m[e]*s+t];ye(h,g);for(let e=0;e<c;e++){let t=m[e];if(t>=o)continue;let n=d[t]*Math.exp(-l[t])/x;for(let r=0;r<s;r++)_[t*s+r]=n*g.data[e*s+r]}return _}}function ze(e,t,n){let{left:r,values:i,right:a}=ve(e),o=A(t,e.columns),s=A(e.rows,t);for(let c=0;c<t;c++){let l=c<Math.min(e.rows,e.columns)?i[c]:0,u=Math.sqrt((Math.hypot(n,2*l)+Math.abs(n))/2),d=u>0?l/u:0,[f,p]=n>0?[d,u]:[u,d];for(let t=0;t<e.columns&&c<e.columns;t++)o.data[c*e.columns+t]=f*a.data[t*e.columns+c];for(let n=0;n<e.rows&&c<e.rows;n++)s.data[n*t+c]=p*r.data[n*e.rows+c]}return{first:o,second:s}}function H(e,t,n,r){return e.rows*L(t,r)+pe(t)*pe(n)+pe(r)*pe(e)+t.rows*L(e,n)}function Be(e,t,n,r){let i=Math.sqrt(H(e,t,e,t)*H(n,r,n,r));return i>0?Math.max(1-H(e,t,n,r)/i,0):0}function Ve(e){let{cross:t,curvature:n,lambda:r}=e,i=n*r,a=Me(e),o=Pe(a,i),s=Fe(o),c=a.s.length,[l,u]=i>=0?[a.small,a.large]:[a.large,a.small],d=1e290/(2*Math.max(1,...o.phi.map(Math.abs))),f=Math.sqrt(n),p=s.leads.length,m=Re(o,s,Math.abs(i)/2),h=A(t.columns,p),g=A(t.rows,p),_=A(t.rows,t.columns),[v,y]=[A(t.columns,t.columns),A(t.rows,t.rows)],b={r:I(F(a.qv,a.qv),1/n),a:I(F(a.qu,a.qu),1/n)},x=H(b.r,b.a,b.r,b.a),S=e=>{let n=m(Math.min(Math.max(e,1e-150),d));for(let e=0;e<p;e++){for(let t=0;t<c;t++){let r=n[t*p+e],i=n[(c+t)*p+e];h.data[t*p+e]=(l[t]*r+u[t]*i)/f,g.data[t*p+e]=(u[t]*r-l[t]*i)/f}for(let r=c;r<t.columns;r++)h.data[r*p+e]=n[(c+r)*p+e]/f;for(let r=c;r<t.rows;r++)g.data[r*p+e]=n[(c+r)*p+e]/f}},C=(e,t)=>{let n=N(e,t);return F(n,n)};return e=>{let r=[],i=[],o=Array.from({length:c},()=>[]);for(let s of e){S(s),F(g,h,_);for(let e=0;e<c;e++){let r=e*t.columns+e;o[e].push(_.data[r]),_.data[r]-=a.s[e]/n}r.push(.5*n*L(_,_)),F(h,h,v),F(g,g,y);let e=Math.sqrt(x*H(v,y,v,y));i.push(e>0?Math.max(1-H(b.r,b.a,v,y)/e,0):0)}let s=(t,n)=>(S(e[t]),n());return{loss:r,kernelDistance:i,strengths:o,input:e=>s(e,()=>C(a.right,h)),output:e=>s(e,()=>C(a.left,g)),map:e=>s(e,()=>F(N(a.left,g),N(a.right,h)))}}}let U=[1,.5,.25],He=[-1.6,.6,Math.sqrt(3-1.6**2-.6**2)],W=[.01,1e3],Ue={square:{inputs:3,outputs:3,label:`square (3–3–3)`},funnel:{inputs:6,outputs:3,label:`funnel (6–3–3)`},fan:{inputs:3,outputs:6,label:`fan (3–3–6)`}};function We(e){let t=A(e,e);for(let n=0;n<e;n++)for(let r=0;r<e;r++)t.data[n*e+r]=Math.sqrt((r?2:1)/e)*Math.cos(Math.PI*(n+.5)*r/e);return t}function Ge(e,t){let[n,r]=[We(t),We(e)],i=A(t,e);return He.forEach((a,o)=>{let[s,c]=[o,e-1-(o+1)%3];for(let o=0;o<t;o++)for(let l=0;l<e;l++)i.data[o*e+l]+=a*n.data[o*t+s]*r.data[l*e+c]}),i}function Ke(e){let{inputs:t,outputs:n}=Ue[b(e,`shape`)]??Ue.square,[r,i]=[y(e,`lambda`),y(e,`scale`)],a=A(n,t);U.forEach((e,n)=>a.data[n*t+n]=e);let o=Ge(t,n),{first:s,second:c}=ze(I(o,i),3,r),[l,u]=[U[0],U[U.length-1]],d=Math.log(.001/Math.hypot(l,r/2)),f=Math.log(1e3*Math.hypot(u,r/2)/u**2),p=[0,...Array.from({length:400},(e,t)=>Math.exp(d+(f-d)*t/399))];return{problem:{first:s,second:c,cross:a,curvature:1,lambda:r},lambda:r,scale:i,map:o,times:p}}function qe({lambda:e,times:t},{loss:n,kernelDistance:r}){let i=Math.max(...r),a=Math.abs(e)/(2*U[0]),o=r.findIndex(e=>e>=i/2),s=r.findIndex(e=>e>=i/10),c=n[n.length-1];return{name:i<.1?`lazy`:a<=1?`rich`:`delayed rich`,distance:i,imbalance:a,delay:t[o],lazyShare:n[0]>c?(n[0]-n[s])/(n[0]-c):0}}function Je(e,t,n,r){let i=n[0]+r*(n[n.length-1]-n[0]),a=n.findIndex(e=>e<=i);if(a<=0)return 0;let[o,s]=[t[a-1],t[a]],[c,l]=[n[a-1]-i,n[a]-i];for(let t=0;t<40&&s-o>1e-13*s;t++){let n=o+(s-o)*c/(c-l),r=1e-9*(s-o)+1e-14*s,a=t%4==3?.5*(o+s):Math.min(Math.max(n+(t%2?r:-r),o+r),s-r),u=e([a]).loss[0]-i;u<=0?[s,l]=[a,u]:[o,c]=[a,u]}return .5*(o+s)}let Ye=e=>[`lambda`,`scale`,`shape`].map(t=>e[t]).join(` `),Xe;function Ze(e){let t=Ye(e);if(Xe?.key!==t){let n=Ke(e),r=Ve(n.problem),i=r(n.times),[a,o]=[.1,.9].map(e=>Je(r,n.times,i.loss,e));Xe={key:t,solution:{setting:n,path:r,found:i,regime:qe(n,i),wait:a/o}}}return Xe.solution}function G(e,t,n,r){let i=A(e,t);for(let e=0;e<i.data.length;e++)i.data[e]=n*r();return i}function Qe(e,t,n){return ye(G(e,t,1,n))}function $e(e,t,n,r,i,a){let o=e.columns,s=[e,...Array.from({length:r-1},()=>Qe(n,o,a)),t],c=i**(1/r);return Array.from({length:r},(e,t)=>{let n=F(s[t+1],s[t]);return n.data.forEach((e,t)=>n.data[t]=c*e),n})}var et=class{cross;curvature;weights;below;above;miss;back;change;constructor(e,t,n){this.cross=t,this.curvature=n,this.weights=e.map(de),this.below=[le(t.columns),...e.map(e=>A(e.rows,t.columns))],this.above=[...e.map(e=>A(t.rows,e.columns)),le(t.rows)],this.miss=A(t.rows,t.columns),this.back=e.map(e=>A(e.rows,t.columns)),this.change=e.map(e=>A(e.rows,e.columns)),this.refresh()}refresh(){let e=this.weights.length;this.below[1].data.set(this.weights[0].data);for(let t=1;t<e;t++)N(this.weights[t],this.below[t],this.below[t+1]);this.above[e-1].data.set(this.weights[e-1].data);for(let t=e-2;t>0;t--)N(this.above[t+1],this.weights[t],this.above[t]);let t=this.map.data,{data:n}=this.miss;for(let e=0;e<n.length;e++)n[e]=this.cross.data[e]-this.curvature*t[e]}get map(){return this.below[this.weights.length]}get loss(){return L(this.miss,this.miss)/(2*this.curvature)}hidden(e){return this.below[e]}step(e){let t=this.weights.length;for(let n=0;n<t;n++){let r=n===t-1?this.miss:P(this.above[n+1],this.miss,this.back[n]),i=n===0?r:F(r,this.below[n],this.change[n]),{data:a}=this.weights[n];for(let t=0;t<a.length;t++)a[t]+=e*i.data[t]}this.refresh()}};function tt(e,t,n){let r=N(e,n);return Array.from({length:n.columns},(e,n)=>{let i=0;for(let e=0;e<t.rows;e++)i+=t.data[e*t.columns+n]*r.data[e*r.columns+n];return i})}function*nt(e){let{problem:t}=Ke(e),{first:n,second:r,cross:i}=t,a=Ve(t),o=new et([n,r],i,1),s=e=>Math.sqrt(e.data.reduce((e,t)=>e+t*t,0)),c=.05/Math.max(s(n)**2+s(r)**2,2*U.length*Math.hypot(U[0],t.lambda/2)),l=Math.min(Math.ceil(W[1]/c),4e5),u={r:P(n,n),a:F(r,r)},d={times:[],loss:[],moved:[],strengths:U.map(()=>[]),expected:[],rate:c},f=e=>{let[t,n]=o.weights;d.times.push(e*c),d.loss.push(o.loss),d.expected.push(a([e*c]).loss[0]),d.moved.push(Be(u.r,u.a,P(t,t),F(n,n))),U.forEach((e,t)=>d.strengths[t].push(o.map.data[t*o.map.columns+t]))},[p,m]=[0,0];for(let e=0;e<=l;e++)(e>=p||e===l)&&(f(e),p=Math.max(e+1,Math.round(e*1.05))),e<l&&o.step(c),m+=12*i.data.length*3,m>15e5&&(m=0,yield{...d});yield{...d}}let K=e=>Number(e.toPrecision(3)).toString().replace(`-`,`−`);function rt(e,t){let{setting:n,path:r,found:i,regime:a,wait:o}=Ze(e),{problem:s,lambda:c,times:l}=n,u=l.map((e,t)=>t).filter(e=>l[e]>W[0]/1.1&&l[e]<W[1]*1.1),d=e=>u.map(t=>e[t]),f={label:`flow time`,values:d(l),log:!0,range:W},p=W[0]*(W[1]/W[0])**y(e,`moment`),m=[{axis:`x`,at:p,label:`moment`}],h=[{label:`prediction`,y:d(i.loss),width:2.5}],g=[{label:`prediction`,y:d(i.kernelDistance),width:2.5}],_=i.strengths.map((e,t)=>({label:`mode ${t+1} (s = ${U[t]})`,y:d(e),colour:t,width:2.5})),v=[{id:`kernel_distance`,label:`farthest kernel distance`,value:a.distance},{id:`imbalance`,label:`imbalance |λ|/2s`,value:a.imbalance},{id:`delay`,label:`kernel half way at`,value:a.delay,unit:`flow time`},{id:`lazy_share`,label:`share learned before the kernel turned`,value:a.lazyShare},{id:`wait`,label:`wait: time to 10 % over time to 90 % learned`,value:o}];if(t&&t.times.length>2){let e=t.times.slice(1);h.push({label:`network`,x:e,y:t.loss.slice(1),colour:1,width:1.2,dash:`dash`}),g.push({label:`network`,x:e,y:t.moved.slice(1),colour:1,width:1.2,dash:`dash`}),t.strengths.forEach((t,n)=>_.push({label:`network`,x:e,y:t.slice(1),colour:6,width:1,dash:`dot`,quiet:n>0})),v.push({id:`area`,label:`prediction against network (∫|ΔL|/∫L)`,value:C(t.times,t.expected,t.loss)})}let b=r([p]),x=Array.from({length:s.cross.columns},(e,t)=>`${t+1}`),S=Array.from({length:s.cross.rows},(e,t)=>`${t+1}`);return{sentence:at(n,a,o),numbers:v,charts:[{kind:`lines`,id:`loss`,title:`Loss`,x:f,y:{label:`loss`},lines:h,marks:m},{kind:`lines`,id:`kernel`,title:`Turn of the tangent kernel`,x:f,y:{label:`kernel distance`,range:[0,1]},lines:g,marks:[...m,{axis:`y`,at:.1,label:`lazy below`}]},{kind:`lines`,id:`strengths`,title:`Strength of each mode of the task`,x:f,y:{label:`strength uᵀW₂W₁v`},lines:_,marks:m},it(c,n.scale),{kind:`heat`,id:`input`,title:`Input representation W₁ᵀW₁`,label:`similarity of inputs`,matrix:j(b.input(0)),rows:x,columns:x},{kind:`heat`,id:`output`,title:`Output representation W₂W₂ᵀ`,label:`similarity of outputs`,matrix:j(b.output(0)),rows:S,columns:S}]}}function it(e,t){let n={s:U[0],d:1},r=Math.min(t,.1),i=e=>{let[t,i]=[0,1e3];for(let a=0;a<80;a++){let a=.5*(t+i);Se([a],n,r,e)[0]>=.5?i=a:t=a}return i},a=Array.from({length:121},(e,t)=>t/30),o=e=>{let t=i(e);return Se(a.map(e=>e*t),n,r,e)};return{kind:`lines`,id:`shape`,title:`Sigmoid to exponential: one mode from ${K(r)}`,x:{label:`time over the mode's half time`,values:a,range:[0,4]},y:{label:`strength over its end`,range:[0,1.02]},lines:[{label:`balanced`,y:o(0),colour:5,dash:`dot`,width:1.5},{label:`|λ| → ∞`,y:a.map(e=>1-(1-r)*(.5/(1-r))**e),colour:4,dash:`dash`,width:1.5},{label:`here, λ = ${K(e)}`,y:o(e),colour:0,width:2.5}]}}function at({lambda:e,scale:t},{name:n,distance:r,delay:i,lazyShare:a},o){let s=e>0?`the output layer is the stronger`:e<0?`the input layer is the stronger`:`the layers are balanced`,c=n===`lazy`?`learning is lazy: the kernel turns by ${K(r)} at most, and representations stay near where they started`:n===`rich`?`learning is rich: the kernel turns by ${K(r)}, half of it by t = ${K(i)}, and representations take the task's form`:`learning is delayed rich: ${K(100*a)} % of the loss goes while the kernel hardly moves, then it turns by ${K(r)}, half of it by t = ${K(i)}`,l=o>.15?`in sigmoids, after a wait`:o>.03?`almost exponentially`:`fast at first, with a long tail`;return`At λ = ${K(e)} and scale ${K(t)} ${s} and ${c}; the loss falls ${l}.`}let ot={id:`rich_and_lazy`,title:`Rich and lazy`,question:`Does a network learn features, or does it only combine those it starts with?`,paper:{text:`Dominé et al. 2025, From lazy to rich: exact learning dynamics in deep linear networks`,href:`https://arxiv.org/abs/2409.14623`},theory:{text:`Two layers keep the difference W₂ᵀW₂ − W₁W₁ᵀ while they learn. Where it is λ·1 and inputs are white, learning is solved exactly from any such start. Small λ and small weights are rich: the tangent kernel turns and representations take the task's form, in a sigmoid. Large |λ| is lazy in a square network, with an exponential; in a funnel (more inputs than outputs) only λ > 0 is lazy, while λ < 0 first learns lazily and turns its kernel later, after a time of order |λ|/s²; in a fan it is the other way round.`,equations:[`W₂ᵀW₂ − W₁W₁ᵀ = λ·1,  Q = [W₁ᵀ; W₂]`,`d(QQᵀ)/dt = F QQᵀ + QQᵀ F − (QQᵀ)²,  F = [−λ/2, Σyxᵀ; Σyx, λ/2]`,`one aligned mode:  da/dt = √(λ² + 4a²) (s − a)`,`kernel  K = 1 ⊗ X W₁ᵀW₁ Xᵀ + W₂W₂ᵀ ⊗ X Xᵀ,  distance  1 − ⟨K₀,K⟩/(‖K₀‖‖K‖)`]},controls:[{kind:`slider`,id:`lambda`,label:`Imbalance λ`,min:-10,max:10,step:.25,value:0,help:`W₂ᵀW₂ − W₁W₁ᵀ = λ·1; above 0 the output layer is the stronger.`},{kind:`slider`,id:`scale`,label:`Scale of the start`,min:.001,max:3,step:.05,value:.01,log:!0,help:`Root-mean-square singular value of the map W₂W₁ at time 0; the task's is about 0.78.`},{kind:`choice`,id:`shape`,label:`Shape`,value:`square`,options:Object.entries(Ue).map(([e,{label:t}])=>({value:e,label:t})),help:`Inputs, hidden units, outputs.`},{kind:`slider`,id:`moment`,label:`Moment`,min:0,max:1,step:.01,value:1,format:e=>`t = ${K(W[0]*(W[1]/W[0])**e)}`,help:`The time at which representations are shown.`}],view:rt,live:{label:`Train the network`,key:Ye,run:nt},python:e=>{let{problem:t,lambda:n,scale:r,map:i,times:a}=Ke(e),o=e=>JSON.stringify(j(e));return[`import numpy as np`,`import scipy`,``,`import festina as fs`,``,`x = ${t.cross.columns} ** 0.5 * np.eye(${t.cross.columns})`,`task = fs.Task(x, x @ np.array(${o(M(t.cross))}))`,`initial = fs.initial.Balanced(${r}, lambda_=${n}, map=${o(i)})`,`network = fs.DeepLinear(hidden=(3,), initial=initial)`,`regime = fs.regime(network, task)`,`loss = lambda t: float(fs.evolve(network, task, np.array([t])).loss[0])`,`begin, end, latest = loss(0.0), loss(${a[a.length-1]}), ${a[a.length-1]}`,`lose = lambda share: scipy.optimize.brentq(lambda t: loss(t) - begin - share * (end - begin), 0.0, latest, xtol=1e-14)`,`numbers = {`,`    \"kernel_distance\": regime.kernel_distance,`,`    \"imbalance\": abs(initial.lambda_) / 2,`,`    \"delay\": regime.delay,`,`    \"lazy_share\": regime.lazy_share,`,`    \"wait\": lose(0.1) / lose(0.9),`,`}`].join(`\n`)}};function q(e,t){return Array.from({length:e},(e,n)=>t(n))}function st(e){let t=2**e;return q(t,String).map((n,r)=>{let i=[];for(let n=0;n<=e;n++)for(let e=0;e<2**n;e++)i.push(+(Math.floor(r*2**n/t)===e));return i})}function ct(e){return q(e,String).map((t,n)=>q(e,String).map((e,t)=>+(t<=n)))}function lt(e,t){return q(e*t,String).map((n,r)=>q(e,String).map((e,n)=>+(Math.floor(r/t)===n)))}function ut(e){let t=e.reduce((e,t)=>e*t,1);return q(t,String).map((n,r)=>{let[i,a,o]=[[],r,t];for(let t of e){o/=t;let e=Math.floor(a/o);a-=e*o,i=i.concat(q(t,String).map((t,n)=>+(n===e)))}return i})}function dt(e,t,n){let r=A(t.rows,t.columns);for(let i=0;i<t.rows;i++)for(let a=0;a<t.columns;a++)r.data[i*t.columns+a]=t.data[i*t.columns+a]*Math.sqrt(n*Math.max(e[a],0));return N(r,M(t))}function ft(e,t,n,r){let i=e**t,a=A(i,i);for(let r=0;r<i;r++)for(let o=0;o<i;o++){let s=t;for(let[t,n]=[r,o];t!==n;[t,n]=[Math.floor(t/e),Math.floor(n/e)])s--;a.data[r*i+o]=(1-2*n)**(2*(t-s))}let{values:o,vectors:s}=he(a);return dt(o,s,r)}function pt(e,t,n,r){let i=A(e,e);for(let t=0;t<e;t++)i.data[t*e+t]=1/r**2;for(let[n,r]of t)i.data[n*e+n]+=1,i.data[r*e+r]+=1,--i.data[n*e+r],--i.data[r*e+n];let{values:a,vectors:o}=he(i);return dt(a.map(e=>1/e),o,n)}function mt(e,t,n){return pt(e,q(e,String).map((t,n)=>[n,(n+1)%e]),t,n)}function ht(e,t,n,r){let i=[];for(let n=0;n<e*t;n++)(n+1)%t&&i.push([n,n+1]),n+t<e*t&&i.push([n,n+t]);return pt(e*t,i,n,r)}function gt(e){let{y:t}=e,n=t.rows,r=z(t),i=r.values[0]??0,a=r.values.filter(e=>e>1e-12*i).length,o=r.values.slice(0,a),s=[];for(let e=0;e<a;e++)e>0&&o[e-1]-o[e]<=1e-9*i?s[s.length-1].push(e):s.push([e]);let c=A(n,a);for(let e of s){let i=e.reduce((e,t)=>e+o[t],0)/e.length,s=e.length>1?yt(t,r.left,e,i):e.map(e=>vt(_t(r.left,e)));e.forEach((e,t)=>{o[e]=i;for(let r=0;r<n;r++)c.data[r*a+e]=s[t][r]})}let l=N(M(t),c);for(let e=0;e<l.rows;e++)for(let t=0;t<a;t++)l.data[e*a+t]/=o[t];return{s:o.map(e=>e/n),d:1/n,targets:o,left:l,right:c,groups:s}}function _t(e,t){return Array.from({length:e.rows},(n,r)=>e.data[r*e.columns+t])}function vt(e){return e.reduce((e,t)=>Math.abs(t)>Math.abs(e)+1e-9?t:e,0)<0?e.map(e=>-e):e}function yt(e,t,n,r){let i=n.map(e=>_t(t,e)),a=(e,t)=>e.reduce((e,n,r)=>e+n*t[r],0),o=(e,t,n)=>e.map((e,r)=>e-n*t[r]),s=[],c=[...Array.from({length:e.columns},(t,n)=>_t(e,n)),...i.map(e=>e.map(e=>r*e))];for(let t of c){let c=Array(e.rows).fill(0);for(let e of i)c=o(c,e,-a(t,e));for(let e=0;e<2;e++)for(let e of s)c=o(c,e,a(c,e));let l=Math.sqrt(a(c,c));if(!(l<.05*r)&&(s.push(vt(c.map(e=>e/l))),s.length===n.length))break}return s}let bt=[`canary`,`robin`,`salmon`,`sunfish`,`oak`,`pine`,`rose`,`daisy`],xt=[`grow`,`move`,`roots`,`fly`,`swim`,`bark`,`petals`,`sing`,`red breast`,`pink flesh`,`round body`,`acorns`,`needles`,`thorns`,`white rays`],St=e=>q(e,e=>`item ${e+1}`),Ct=[{id:`hierarchy`,label:`Hierarchy`,items:bt,properties:xt,y:ue(st(3)),python:`fs.tasks.items(8).statistics.strengths`},{id:`partition`,label:`Partition`,items:q(9,e=>`${`abc`[Math.floor(e/3)]}${e%3+1}`),properties:[`group a`,`group b`,`group c`],y:ue(lt(3,3)),python:`fs.tasks.partition(3, 3).statistics.strengths`},{id:`ring`,label:`Ring`,items:St(8),properties:q(8,e=>`feature ${e+1}`),y:mt(8,8,2),python:`fs.tasks.ring_strengths(8, features=8, sigma=2.0)`},{id:`ordering`,label:`Ordering`,items:St(8),properties:q(8,e=>`at least ${e+1}`),y:ue(ct(8)),python:`fs.tasks.ordering(8).statistics.strengths`},{id:`crossing`,label:`Cross-cutting dimensions`,items:q(8,e=>`${e&4?`large`:`small`} ${e&2?`red`:`blue`} ${e&1?`disc`:`cube`}`),properties:[`small`,`large`,`blue`,`red`,`cube`,`disc`],y:ue(ut([2,2,2])),python:`fs.tasks.dimensions((2, 2, 2)).statistics.strengths`},{id:`grid`,label:`Grid`,items:q(9,e=>`${`abc`[Math.floor(e/3)]}${e%3+1}`),properties:q(9,e=>`feature ${e+1}`),y:ht(3,3,9,2),python:`fs.tasks.grid_strengths(3, 3, features=9, sigma=2.0)`},{id:`tree`,label:`Random tree`,items:q(8,e=>`${(e>>2)+1}.${(e>>1&1)+1}.${(e&1)+1}`),properties:q(8,e=>`feature ${e+1}`),y:ft(2,3,.1,8),python:`fs.tasks.tree_strengths(2, 3, flip=0.1, features=8)`}],wt=[0,.15,.45];function Tt(e){let{rows:t,columns:n}=e,r=A(t,n);for(let i=0;i<n;i++){let a=0;for(let r=0;r<t;r++)a+=e.data[r*n+i]/t;for(let o=0;o<t;o++)r.data[o*n+i]=e.data[o*n+i]-a}let{values:i,vectors:a}=he(F(r,r)),o=A(t,t);for(let e=0;e<t;e++)for(let n=0;n<t;n++)o.data[e*t+n]=a.data[e*t+n]*Math.sqrt(Math.max(i[n],0));return o}function Et(e){let{rows:t,columns:n}=e,r=new Float64Array(t*t);for(let i=0;i<t;i++)for(let a=0;a<i;a++){let o=0;for(let t=0;t<n;t++)o+=(e.data[i*n+t]-e.data[a*n+t])**2;r[i*t+a]=r[a*t+i]=Math.sqrt(o)}return r}function Dt(e){let t=Et(e),n=t.reduce((e,t)=>e+t*t,0),r=Tt(e);return wt.map(i=>{let a=A(e.rows,2);for(let t=0;t<e.rows;t++)for(let e=0;e<r.columns;e++)a.data[2*t+e%2]+=r.data[t*r.columns+e]*(e<2?1:i*(e%4<2?1:-1));for(let e=0;e<300;e++)a=Ot(a,t);let o=Et(a),s=n>0?Math.sqrt(t.reduce((e,t,n)=>e+(t-o[n])**2,0)/n):0;return{points:a,stress:s}}).reduce((e,t)=>t.stress<e.stress-1e-6?t:e)}function Ot(e,t){let n=e.rows,r=Et(e),i=A(n,2);for(let a=0;a<n;a++)for(let o=0;o<n;o++){let s=r[a*n+o];if(a===o||s===0)continue;let c=t[a*n+o]/s/n;i.data[2*a]+=c*(e.data[2*a]-e.data[2*o]),i.data[2*a+1]+=c*(e.data[2*a+1]-e.data[2*o+1])}return i}function kt(e,t){let{left:n,right:r}=z(P(e,t));return F(n,r)}function At(e,t){return N(e,kt(e,t))}let jt=/* @__PURE__ */ new Map;function Mt(e){let t=jt.get(e);if(!t){let n=Ct.find(t=>t.id===e)??Ct[0];t={structure:n,...gt(n)},jt.set(e,t)}return t}function J(e,t){return{s:e.s[t],d:e.d}}function Nt(e){let t=Mt(b(e,`structure`)),n=b(e,`depth`),r=n===`inf`?1/0:Number(n),i=y(e,`start`),a=t.groups.map(([e])=>Ce(.98*t.targets[e],J(t,e),i,r)),o=1.08*Math.max(...a);return{task:t,depth:r,start:i,end:o,times:Array.from({length:201},(e,t)=>o*t/200)}}function Pt({task:e,depth:t,start:n},r){return e.groups.map(([i])=>be(r,J(e,i),n,t))}function Ft(e,t,n){return e.groups.reduce((r,i,a)=>r+.5*e.d*i.length*(t[a][n]-e.targets[i[0]])**2,0)}function It(e){return e===1||e===1/0?1:1/e}let Lt=/* @__PURE__ */ new Map;function Rt({task:e,depth:t}){let n=`${e.structure.id} ${t}`,r=Lt.get(n);return r||(r=P(e.right,Dt(Bt(e,t)).points),Lt.set(n,r)),r}function zt(e,t,n){let r=A(e.right.rows,e.right.columns);return e.groups.forEach((i,a)=>{let o=Math.max(n[a],0)**It(t);for(let t of i)for(let n=0;n<r.rows;n++)r.data[n*r.columns+t]=o*e.right.data[n*r.columns+t]}),r}function Bt(e,t){return zt(e,t,e.groups.map(([t])=>e.targets[t]))}function Vt(e,t){let n=Rt(e),{task:r,depth:i}=e,a=A(n.rows,2);return r.groups.forEach(e=>{let t=r.targets[e[0]]**-It(i);for(let r of e)for(let e=0;e<2;e++)a.data[2*r+e]=t*n.data[2*r+e]}),j(N(t,a))}function*Ht(e){let n=Nt(e),{task:r,depth:i,start:a,end:o}=n;if(i===1/0)return;let[s,c,l]=[r.right.rows,r.left.rows,r.right.columns+2],u=t(7),d=Ut(r,i,l,a,b(e,`weights`)===`random`,u),f=new et(d,I(M(r.structure.y),1/s),r.d),p=we(J(r,0),i),m=Math.min(Math.max(.1*p,o/4e4),.5*p,o/600),h=Math.ceil(o/m),g={times:[],loss:[],strengths:Array.from({length:r.s.length},()=>[]),places:[],expected:[],rate:m},_=e=>{g.times.push(e*m),g.loss.push(f.loss),tt(f.map,r.left,r.right).forEach((e,t)=>g.strengths[t].push(e));let t=Pt(n,[e*m]),a=t.map(([e])=>e);g.expected.push(Ft(r,t,0));let o=It(i)===1?f.map:f.hidden(1);g.places.push(Vt(n,At(M(o),zt(r,i,a))))},v=d.reduce((e,t)=>e+t.rows*t.columns*(s+c)*2,0)+c*s*l*i*2,y=0,x=0;for(let e=0;e<=h;e++)(e>=x||e===h)&&(_(e),x=Math.max(e+1,Math.round(g.times.length*h/159))),e<h&&f.step(m),y+=v,y>6e6&&(y=0,yield{...g});yield{...g}}function Ut(e,t,n,r,i,a){let[o,s,c]=[e.right.rows,e.left.rows,e.right.columns];if(!i)return $e(e.right,e.left,n,t,r,a);if(t===1)return[G(s,o,r,a)];let l=Math.sqrt(2*r/n);return t===2?[G(n,o,l,a),G(s,n,l,a)]:$e(Qe(o,c,a),Qe(s,c,a),n,t,r,a)}let Y=e=>Number(e.toPrecision(3)).toString();function Wt(e){let t=e.split(` `);return t.length>2?t.map(([e])=>e).join(``):e}function Gt(e,t){let[n,r]=[e[0]+1,e[e.length-1]+1];return`${n===r?`mode ${n}`:`modes ${n}–${r}`} (s = ${Y(t)})`}function Kt(e,t){let n=Nt(e),{task:r,depth:i,start:a,end:o,times:s}=n,c=Pt(n,s),l=s.map((e,t)=>Ft(r,c,t)),u=Math.round(y(e,`moment`)*200),d=i===1/0?`depth × flow time`:`flow time`,f={label:d,values:s,range:[0,o]},p=u>0&&u<200?[{axis:`x`,at:s[u],label:`moment`}]:[],m=r.groups.map(([e])=>Ce(.5*r.targets[e],J(r,e),a,i)),h=J(r,0),g=[.1,.9].map(e=>Ce(e*r.targets[0],h,a,i)),_=r.groups.map((e,t)=>({label:Gt(e,r.s[e[0]]),y:c[t],colour:t%6,width:2.5,...t>=6?{dash:`dash`}:{}})),v=[{id:`first`,label:`strongest mode half learned`,value:m[0],unit:d},{id:`last`,label:`weakest mode half learned`,value:m[m.length-1],unit:d},{id:`rise`,label:`its rise (10 to 90 %) over its half time`,value:(g[1]-g[0])/m[0]},{id:`loss`,label:`loss at the moment`,value:l[u]}],b=[{label:`prediction`,y:l,width:2.5}],x;if(t&&t.times.length>1){t.strengths.forEach((e,n)=>_.push({label:`network`,x:t.times,y:e,colour:6,width:1,dash:`dot`,quiet:n>0})),b.push({label:`network`,x:t.times,y:t.loss,colour:1,width:1.2,dash:`dash`}),v.push({id:`area`,label:`prediction against network (∫|ΔL|/∫L)`,value:C(t.times,t.expected,t.loss)});let e=t.times.findIndex(e=>e>=s[u]-1e-9*o);e>=0&&(x=t.places[e])}let S=Array.from({length:40},(e,t)=>Math.round(u*t/39)).map(e=>Vt(n,zt(r,i,c.map(t=>t[e])))),w=r.structure.items.map((e,t)=>({label:Wt(e),x:S[39][t][0],y:S[39][t][1],colour:t%6,trail:S.map(e=>e[t])})),T=Math.max(...Vt(n,Bt(r,i)).flat().map(Math.abs)),E=[-1.25*T,1.25*T],D=N(r.left,M(qt(r,c,u))),O=Math.max(...r.structure.y.data),ee=r.structure.properties.length>10;return{sentence:Jt(n,m,(g[1]-g[0])/m[0]),numbers:v,charts:[{kind:`lines`,id:`strengths`,title:`Strength of each mode`,x:f,y:{label:`strength a`},lines:_,marks:p},{kind:`lines`,id:`loss`,title:`Loss`,x:f,y:{label:`loss`},lines:b,marks:p},{kind:`scatter`,id:`representation`,equal:!0,title:`${It(i)===1?`Answers to the items`:`Items in the first hidden layer`}${x?` (rings: the network)`:``}`,x:{label:`dimension 1 (same unit as dimension 2)`,range:E},y:{label:`dimension 2`,range:E},points:[...(x??[]).map(([e,t])=>({label:``,x:e,y:t,colour:6,ring:!0})),...w]},{kind:`heat`,id:`vectors`,title:`Which items a mode tells apart (v)`,label:`entry of v`,matrix:j(M(r.right)),rows:r.groups.flatMap(e=>e.map(e=>`mode ${e+1}`)),columns:r.structure.items},{kind:`heat`,id:`answers`,title:`What the network answers at the moment`,label:`predicted property`,matrix:j(M(D)),rows:r.structure.items,columns:r.structure.properties,bound:O,wide:ee},...ee?[]:[{kind:`heat`,id:`targets`,title:`What it is to answer`,label:`property`,matrix:j(r.structure.y),rows:r.structure.items,columns:r.structure.properties,bound:O}]]}}function qt(e,t,n){let r=A(e.right.rows,e.right.columns);return e.groups.forEach((i,a)=>{for(let o of i)for(let i=0;i<r.rows;i++)r.data[i*r.columns+o]=t[a][n]*e.right.data[i*r.columns+o]}),r}function Jt({task:e,depth:t,start:n},r,i){let[a,o]=[r[0],r[r.length-1]];if(t===1)return`One layer learns all modes at once: each closes its gap at the same rate d = ${Y(e.d)}, however strong it is, and is half learned at t ≈ ${Y(a)}; there are no stages.`;let s=t===1/0?`Infinitely many layers`:`${t} layers`,c=i<.5?`suddenly, after a long wait`:i<1.2?`in a sigmoid`:`gradually, because it starts large`;return e.groups.length===1?`${s} learn all modes together from strength ${Y(n)}, because they are equally strong: each is half learned at ${Y(a)} and rises ${c}.`:`${s} learn one mode after another from strength ${Y(n)}: the strongest is half learned at ${Y(a)}, the weakest at ${Y(o)}, ${Y(o/a)} times later; each rises ${c}.`}let Yt={id:`modes`,title:`Modes`,question:`In which order does a deep linear network learn what there is to learn?`,paper:{text:`Saxe, McClelland & Ganguli 2014, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks`,href:`https://arxiv.org/abs/1312.6120`},theory:{text:`The correlation of items with properties is a sum of modes, Σyx = U S Vᵀ. From small weights that are equally strong in every layer each mode grows by itself, and the strong ones first: broad distinctions before fine ones. One layer has no such stages; more layers wait longer and then rise more suddenly. The map shows where items are once all is learned, with distances kept as well as a plane can; each mode moves them along a straight line of it. The structures are those of Saxe, McClelland & Ganguli 2019.`,equations:[`du/dt = D u^(2−2/D) (s − d u)`,`D = 1:  u(t) = (s/d)(1 − e^(−dt)) + u₀ e^(−dt)`,`D = 2:  u(t) = (s/d) / (1 − (1 − s/(d u₀)) e^(−2st))`,`D → ∞, T = D t:  u(T) = (s/d) / (1 + W₀[z₀ e^(z₀ − s²T/d)]),  z₀ = s/(d u₀) − 1`,`L(t) = ½ Σ d (u − s/d)²`]},controls:[{kind:`choice`,id:`structure`,label:`Structure`,value:`hierarchy`,options:Ct.map(({id:e,label:t})=>({value:e,label:t})),help:`What the items have in common.`},{kind:`choice`,id:`depth`,label:`Layers`,value:`2`,help:`Number of weight layers D.`,options:[...[`1`,`2`,`3`,`4`,`6`].map(e=>({value:e,label:e})),{value:`inf`,label:`∞`}]},{kind:`slider`,id:`start`,label:`Initial strength u₀`,min:1e-5,max:.2,step:.05,value:.001,log:!0,help:`Strength of every mode at time 0: the product over all layers.`},{kind:`slider`,id:`moment`,label:`Moment`,min:0,max:1,step:.01,value:1,format:e=>`${Math.round(100*e)} %`,help:`The time, as a share of the time axis, at which representations and answers are shown.`},{kind:`choice`,id:`weights`,label:`Trained network starts`,value:`aligned`,help:`The prediction assumes a start on the modes; from random weights of the same size deep networks come later.`,options:[{value:`aligned`,label:`on the modes`},{value:`random`,label:`at random`}]}],view:Kt,live:{label:`Train a linear network`,key:e=>[`structure`,`depth`,`start`,`weights`].map(t=>e[t]).join(` `),run:Ht},python:e=>{let{task:t,depth:n,start:r,times:i}=Nt(e),a=Math.round(y(e,`moment`)*200);return[`import math`,``,`import festina as fs`,``,`s = ${t.structure.python}`,`d, depth, start = 1 / ${t.structure.items.length}, ${n===1/0?`math.inf`:n}, ${r}`,`reach = lambda share, s: fs.linear.time_to_strength(share * s / d, s, d, start, depth)`,`half = reach(0.5, s)`,`now = fs.linear.strength(${i[a]}, s, d, start, depth)`,`numbers = {`,`    \"first\": float(half[0]),`,`    \"last\": float(half[-1]),`,`    \"rise\": float((reach(0.9, s[0]) - reach(0.1, s[0])) / half[0]),`,`    \"loss\": float(0.5 * d * sum((now - s / d) ** 2)),`,`}`].join(`\n`)}};function Xt({rateH:e,rateY:t,dx:n,y:r,h:i}){return i-e/t*n*r/i}function Zt({rateH:e,rateY:t,dx:n,dy:r}){return Math.sqrt(e/t*n*r)}function Qt(e,t){let n=.5*Math.abs(e)+.5*Math.hypot(e,2*t);return e>=0?n:t/(n>0?n:1)*t}function $t(e){let[t,n]=[Xt(e),Zt(e)],r=Math.hypot(t,2*n),i=Qt(t,n),a=Qt(-t,n);return[{h:0,eigenvalues:[e.rateY*i,-e.rateY*a]},{h:i,eigenvalues:[-e.rateY*r/2,-e.rateY*i]}]}function en(e,t){return e===0?t:Math.expm1(e*t)/e}function X(e,t){let{dx:n,dy:r,rateH:i,rateY:a,h:o,y:s,w:c}=e,l=Math.sqrt(n*i*a)/2,u=Math.sqrt(2*o/(n*i)),d=Math.sqrt(2*s/(o*a)),f=s*r>0?Math.min(1,Math.max(-1,(s-c)/Math.sqrt(s*r))):0,p=d*f,m=d*Math.sqrt((1-f)*(1+f)),h=-a*Xt(e)/4,g=l*Math.sqrt(r),_=Math.hypot(h,g),[v,y]=h>=0?[g,_+h]:[_-h,g],b=Math.hypot(v,y),[x,S]=b>0?[v/b,y/b]:[1,0],C=x*u+S*p,w=S*u-x*p,T=h<=0?_-h:_>0?g**2/(_+h):0,E={h:[],y:[],w:[],error:[]},D=Math.sqrt(r);for(let e of t){let t=Math.min(e,1e300),r=Math.exp(-2*_*t),a=en(-2*_,t),o=h<=0?r*en(2*h,t):Math.exp(-2*T*t)*en(-2*h,t),s=r+l**2*(C**2*a+w**2*r*a+m**2*o),c=Math.sqrt(s),u=e=>s>0?e/c:0,d=u(x*C+S*w*r),f=l*d*u(S*C-x*w*r),p=l*d*u(m*Math.exp(-T*t));E.h.push(n*i/2*d**2),E.y.push(f**2+p**2),E.w.push(f*(f-D)+p**2),E.error.push((f-D)**2+p**2)}return E}function tn(e){return{...e,dy:0,w:e.y}}function nn(e,t){let n=t=>X(e,[t]).error[0],[r,i]=[n(0),n(1/0)],a=r+t*(i-r);if(!(r>i))return 0;let o=e=>n(e)<=a,s=1/(e.rateY+e.rateH);for(let e=0;e<200&&!o(s);e++)s*=2;let c=0;for(let e=0;e<100&&s-c>1e-14*s;e++){let e=.5*(s+c);o(e)?s=e:c=e}return s}let Z=[4,32,32,32,3];var rn=class{weights;activity;slopes;targets;constructor(e,n){let r=t(n);this.weights=Z.slice(1).map((e,t)=>G(e,Z[t],1/Math.sqrt(Z[t]),r)),this.activity=Z.map(e=>A(e,2)),this.slopes=Z.map(e=>A(e,2));let i=sn(an(Z[0],r)),a=sn(cn(an(Z[0],r),i));i.forEach((t,n)=>{this.activity[0].data[2*n]=a[n]-t*e.dx/2,this.activity[0].data[2*n+1]=a[n]+t*e.dx/2});let o=this.weights.length;this.forward(),this.rescale(0,2,e.encoder*e.dx/on(this.difference(2))),this.rescale(2,o,e.decoder*e.encoder*e.dx/on(this.difference(o)));let s=sn(this.difference(o)),c=sn(cn(an(s.length,r),s)),l=Math.sqrt(1-e.cosine**2);this.targets=A(s.length,2),s.forEach((t,n)=>{let r=e.dy*(e.cosine*t+l*c[n])/2,i=.5*(this.activity[o].data[2*n]+this.activity[o].data[2*n+1]);this.targets.data[2*n]=i-r,this.targets.data[2*n+1]=i+r})}rescale(e,t,n){let r=n**(1/(t-e));for(let n=e;n<t;n++)this.weights[n].data.forEach((e,t,n)=>n[t]=r*e);this.forward()}forward(){let e=this.weights.length;for(let t=0;t<e;t++){let{data:n}=N(this.weights[t],this.activity[t],this.activity[t+1]),r=this.slopes[t+1].data;for(let i=0;i<n.length;i++)r[i]=t===e-1||n[i]>0?1:.2,n[i]*=r[i]}}difference(e){let{data:t,rows:n}=this.activity[e];return Array.from({length:n},(e,n)=>t[2*n+1]-t[2*n])}get state(){let[e,t]=[this.difference(2),this.difference(this.weights.length)],n=t.reduce((e,t)=>e+t*t,0),r=n-t.reduce((e,t,n)=>e+t*(this.targets.data[2*n+1]-this.targets.data[2*n]),0);return{h:e.reduce((e,t)=>e+t*t,0),y:n,w:r}}get loss(){return this.activity[this.weights.length].data.reduce((e,t,n)=>e+(t-this.targets.data[n])**2,0)/4}descent(){let e=this.weights.length,t=A(Z[e],2);t.data.forEach((n,r)=>t.data[r]=(this.targets.data[r]-this.activity[e].data[r])/2);let n=[];for(let r=e-1;r>=0;r--)n.unshift(F(t,this.activity[r])),t=P(this.weights[r],t),t.data.forEach((e,n)=>t.data[n]=e*this.slopes[r].data[n]);return n}step(e){this.descent().forEach((t,n)=>{let{data:r}=this.weights[n];for(let n=0;n<r.length;n++)r[n]+=e*t.data[n]}),this.forward()}};function an(e,t){return Array.from({length:e},t)}function on(e){return Math.hypot(...e)}function sn(e){let t=on(e);return e.map(e=>e/t)}function cn(e,t){let n=e.reduce((e,n,r)=>e+n*t[r],0);return e.map((e,r)=>e-n*t[r])}let ln=Array.from({length:33},(e,t)=>-2+t/8),un=[-.5,0,.5],dn=Math.log(1e8);function fn(e,t,n){let{times:r,h:i,y:a,w:o}=e,s=r.map((e,t)=>.5*((r[t+1]??e)-(r[t-1]??e))),c=r.map(e=>e-r[0]),l=e=>({dx:t,dy:n,rateH:Math.exp(e[0]),rateY:Math.exp(e[1]),h:i[0],y:a[0],w:o[0]}),u=r.map((e,t)=>t),d=(e,t)=>{let n=X(l(e),t.map(e=>c[e])),r=new Float64Array(3*t.length);return t.forEach((e,t)=>{let c=Math.sqrt(s[e]);r[3*t]=(n.h[t]-i[e])*c,r[3*t+1]=(n.y[t]-a[e])*c,r[3*t+2]=(n.w[t]-o[e])*c}),r},f=e=>e.reduce((e,t)=>e+t*t,0),p=u.length<=100?u:Array.from({length:100},(e,t)=>Math.round(t*(u.length-1)/99)),[m,h]=pn(e,t),g=[m,h],_=1/0;for(let e of ln)for(let t of un){let n=[m+Math.LN10*e,h+Math.LN10*(e+t)],r=f(d(n,p));r<_&&([g,_]=[n,r])}g=mn(e=>d(e,u),g);let v=u.reduce((e,t)=>e+s[t]*(i[t]**2+a[t]**2+o[t]**2),0);return{pair:l(g),error:Math.sqrt(f(d(g,u))/v)}}function pn({times:e,h:t,y:n,w:r},i){let[a,o,s,c,l]=[0,0,0,0,0];e.forEach((u,d)=>{d>0&&(a+=.5*(r[d]+r[d-1])*(u-e[d-1])),o+=-i*a*(t[d]-t[0]),s+=(i*a)**2;let f=t[d]*(t[d]-t[0])/i;c+=f*(n[d]-n[0]/t[0]*t[d]),l+=f**2});let u=(e,t,n)=>e/t>0&&Number.isFinite(e/t)?e/t:n,d=u(o,s,1/(e[e.length-1]-e[0]));return[Math.log(d),Math.log(d*u(c,l,1))]}function mn(e,t){let n=[...t],r=e(n),i=r.reduce((e,t)=>e+t*t,0),a=.001;for(let o=0;o<60;o++){let o=[0,1].map(t=>{let r=1e-5,[i,a]=[r,-1e-5].map(r=>e(t===0?[n[0]+r,n[1]]:[n[0],n[1]+r]));return i.map((e,t)=>(e-a[t])/(2*r))}),s=(e,t)=>e.reduce((e,n,r)=>e+n*t[r],0),[c,l,u]=[s(o[0],o[0]),s(o[0],o[1]),s(o[1],o[1])],[d,f]=[s(o[0],r),s(o[1],r)],p=!1;for(;!p&&a<0xe8d4a51000;){let[o,s]=[c*(1+a),u*(1+a)],m=o*s-l*l;if(!(m>0))return n;let h=[(l*f-s*d)/m,(l*d-o*f)/m],g=e=>Math.max(t[e]-dn,Math.min(t[e]+dn,n[e]+Math.max(-1,Math.min(1,h[e])))),_=[g(0),g(1)],v=e(_),y=v.reduce((e,t)=>e+t*t,0);if(p=y<=i,p){let e=Math.hypot(...h)<1e-11||i-y<=1e-15*i;if([n,r,i,a]=[_,v,y,a/10],e)return n}else a*=10}if(!p)return n}return n}let hn=6e4;function*gn(e){let t={dx:y(e,`dx`),dy:y(e,`dy`),cosine:y(e,`cosine`),encoder:y(e,`encoder`),decoder:y(e,`decoder`)};for(let e=.1;e>1e-12;e/=3)if(yield*_n(t,e/4))return}function*_n(e,t){let n=new rn(e,1),r=n.loss,i={times:[],h:[],y:[],w:[]},a=()=>({...i,rate:t,fit:fn(i,e.dx**2,e.dy**2)}),[o,s]=[1,hn];for(let e=0;e<=s;e++){if(e%o===0){let{h:r,y:a,w:s}=n.state;if(i.times.push(e*t),i.h.push(r),i.y.push(a),i.w.push(s),i.times.length>320){let e=e=>e.filter((e,t)=>t%2==0);i={times:e(i.times),h:e(i.h),y:e(i.y),w:e(i.w)},o*=2}}n.step(t);let{loss:c}=n;if(!(c<=1.5*r)&&c>1e-12)return!1;c<=1e-4*r&&s===hn&&(s=Math.min(hn,Math.ceil(1.33*e)+4)),(e+1)%200==0&&(yield a())}return yield a(),!0}let vn=Array.from({length:73},(e,t)=>10**(-2+t/24));function yn(e,t=y(e,`encoder`),n=y(e,`decoder`)){let r=y(e,`dx`)**2,i=y(e,`dy`)**2,a=t**2*r,o=n**2*a;return{dx:r,dy:i,rateH:y(e,`rate_h`),rateY:y(e,`rate_y`),h:a,y:o,w:o-y(e,`cosine`)*Math.sqrt(o*i)}}function bn(e){return Qt(Xt(e),Zt(e))}let Q=e=>Number(e.toPrecision(3)).toString().replace(`-`,`−`);function xn(e,t){let n=yn(e),[r,i]=$t(n),[a,o]=[Xt(n),Zt(n)],[s,c]=[nn(n,.1),nn(n,.9)],l=c>0?s/c:0,u=Math.min(...i.eigenvalues.map(Math.abs)),d=Math.min(Math.max(1.6*c,c+4/u),4*c)||1,f=Array.from({length:241},(e,t)=>d*t/240),p=X(n,f),m=X(tn(n),f),h={label:`time (in the unit of τ)`,values:f,range:[0,d]},g=[{axis:`x`,at:s,label:`10 %`},{axis:`x`,at:c,label:`90 %`}],_=Math.min(...p.h)<.1*Math.min(n.h,i.h),v=[{label:`h`,y:p.h,colour:0,width:2.5},{label:`h if targets were equal`,y:m.h,colour:4,width:1.5,dash:`dash`}];return{sentence:wn(n,i.h,l,_),numbers:[{id:`final`,label:`final distance h∞`,value:i.h},{id:`low`,label:`A_low (what the task asks for)`,value:o},{id:`high`,label:`A_high (what the start leaves)`,value:a},{id:`escape`,label:`growth rate away from h = 0`,value:r.eigenvalues[0],unit:`1/time`},{id:`settle`,label:`slowest rate at the end`,value:u,unit:`1/time`},{id:`wait`,label:`plateau: time to 10 % over time to 90 % learned`,value:l},...t?Sn(t):[]],charts:[{kind:`lines`,id:`h`,title:`Distance of the two representations`,x:h,y:{label:`h = ‖h₂ − h₁‖²`},lines:v,marks:[{axis:`y`,at:i.h,label:`h∞`}]},{kind:`lines`,id:`outputs`,title:`Distance of the two outputs`,x:h,y:{label:`squared distance`},lines:[{label:`y = ‖ŷ₂ − ŷ₁‖²`,y:p.y,colour:2,width:2.5},{label:`w = y − (ŷ₂ − ŷ₁)·(y₂ − y₁)`,y:p.w,colour:3,width:2.5,dash:`dash`}],marks:[{axis:`y`,at:n.dy,label:`target`}]},...t?Cn(t):[],{kind:`lines`,id:`error`,title:`Error of the difference, and its plateau`,x:h,y:{label:`squared error`},lines:[{label:`2w − y + ‖y₂ − y₁‖²`,y:p.error,colour:1,width:2.5}],marks:g},{kind:`scatter`,id:`phase`,title:`From the start past the saddle to the end`,x:{label:`h`},y:{label:`w`},points:[{label:`end`,x:i.h,y:0,colour:0,trail:p.h.map((e,t)=>[e,p.w[t]])},{label:`saddle`,x:r.h,y:0,colour:6},{label:`start`,x:n.h,y:n.w,colour:1}]},{kind:`lines`,id:`gains`,title:`Final distance from other starts`,wide:!0,x:{label:`gain`,values:vn,log:!0,range:[.01,10]},y:{label:`h∞ = final ‖h₂ − h₁‖²`,log:!0},lines:[{label:`other encoder gains`,y:vn.map(t=>bn(yn(e,t))),colour:0,width:2.5},{label:`other decoder gains`,y:vn.map(t=>bn(yn(e,void 0,t))),colour:1,width:2.5,dash:`dashdot`},...o>0?[{label:`A_low`,y:vn.map(()=>o),colour:2,width:1.5,dash:`dash`}]:[]],marks:[{axis:`x`,at:y(e,`encoder`),label:`encoder`,colour:0},{axis:`x`,at:y(e,`decoder`),label:`decoder`,colour:1}]}]}}function Sn({fit:e,h:t}){return[{id:`fit_error`,label:`theory with fitted rates against network`,value:e.error},{id:`fit_h`,label:`network's 1/τh`,value:e.pair.rateH,unit:`1/time`},{id:`fit_y`,label:`network's 1/τy`,value:e.pair.rateY,unit:`1/time`},{id:`fit_final`,label:`h∞ at these rates`,value:bn(e.pair)},{id:`network_final`,label:`network's h now`,value:t[t.length-1]}]}function Cn(e){let{times:t,fit:n}=e,r=X(n.pair,t),i={label:`flow time of the network`,values:t},a=(t,n)=>[{label:`${t}, network`,y:e[t],colour:6,width:1.2,dash:`dash`},{label:`${t}, theory with fitted rates`,y:r[t],colour:n,width:2.5}];return[{kind:`lines`,id:`network_h`,title:`A leaky-ReLU network from this start`,x:i,y:{label:`h = ‖h₂ − h₁‖²`},lines:a(`h`,0)},{kind:`lines`,id:`network_y`,title:`Its outputs`,x:i,y:{label:`squared distance`},lines:[...a(`y`,2),...a(`w`,3).map((e,t)=>({...e,dash:t?`dashdot`:`dot`}))]}]}function wn(e,t,n,r){let i=Zt(e);return`${e.dy===0?t>0?`The targets are equal, and yet the representations stay ${Q(t)} apart: what the start leaves, because the decoder learns to ignore their difference`:`The targets are equal and the representations merge: the encoder learns to drop their difference`:Math.abs(t/i-1)<.1?`The distance ends at ${Q(t)}, set by inputs and targets alone (A_low = ${Q(i)}): the rich regime`:t>i?`The distance ends at ${Q(t)}, above the ${Q(i)} that inputs and targets ask for: large encoder weights are kept, the lazy regime`:`The distance ends at ${Q(t)}, below the ${Q(i)} that inputs and targets ask for: a strong decoder needs little difference`}; the error falls ${n>.5?`after a long plateau, because it starts near the saddle h = 0`:n>.2?`after a short plateau`:`without a plateau`}${r?`, and on the way the two points nearly merge`:``}.`}let Tn={id:`two_points`,title:`Two points`,question:`How far apart will a network represent two inputs that it learns together?`,paper:{text:`van Rossem & Saxe 2024, When representations align: universality in representation learning dynamics`,href:`https://arxiv.org/abs/2402.09142`},theory:{text:`Whatever the architecture, if encoder and decoder are flexible enough to act as linear maps on two nearby points, three numbers follow closed equations: the squared distances of the representations (h) and of the outputs (y), and w, which compares outputs with targets. They are solved here in closed form. h = 0 is a saddle: small weights wait near it, which is the plateau. The end is fixed by A_low, which knows inputs and targets only, and by A_high, what is left of the start. The network beside it (4–32–32–32–3, leaky ReLU, representation in the middle) starts with the same gains, distances and cosine; its two rates are not known beforehand and are fitted to its curves.`,equations:[`dh/dt = −(1/τh) dx w`,`dy/dt = −w (h/τy + (1/τh) dx y/h)`,`dw/dt = −(1/2τy)(3w − y + dy) h − (1/2τh) dx (y + w) w/h`,`h∞ = ½A_high + √(¼A_high² + A_low²)`,`A_high = h₀ − (τy/τh) dx y₀/h₀,  A_low² = (τy/τh) dx dy`]},controls:[{kind:`slider`,id:`encoder`,label:`Encoder gain`,min:.01,max:10,step:.05,value:.1,log:!0,help:`‖h₂ − h₁‖ over ‖x₂ − x₁‖ at time 0.`},{kind:`slider`,id:`decoder`,label:`Decoder gain`,min:.01,max:10,step:.05,value:.1,log:!0,help:`‖ŷ₂ − ŷ₁‖ over ‖h₂ − h₁‖ at time 0.`},{kind:`slider`,id:`cosine`,label:`Initial cosine`,min:-1,max:1,step:.05,value:0,help:`Cosine between the outputs' and the targets' difference at time 0; below 0 the points must first merge.`},{kind:`slider`,id:`dx`,label:`Distance of inputs`,min:.1,max:3,step:.05,value:.5,help:`‖x₂ − x₁‖.`},{kind:`slider`,id:`dy`,label:`Distance of targets`,min:0,max:3,step:.05,value:1,help:`‖y₂ − y₁‖.`},{kind:`slider`,id:`rate_h`,label:`Encoder rate 1/τh`,min:.05,max:5,step:.05,value:.5,log:!0,help:`Effective learning rate of the encoder.`},{kind:`slider`,id:`rate_y`,label:`Decoder rate 1/τy`,min:.05,max:5,step:.05,value:.5,log:!0,help:`Effective learning rate of the decoder.`}],view:xn,live:{label:`Train a leaky-ReLU network`,key:e=>[`encoder`,`decoder`,`cosine`,`dx`,`dy`].map(t=>e[t]).join(` `),run:gn},python:e=>{let{dx:t,dy:n,rateH:r,rateY:i,h:a,y:o,w:s}=yn(e);return[`import scipy`,``,`import festina as fs`,``,`pair = fs.representation.TwoPoint(dx=${t}, dy=${n}, rates=(${r}, ${i}), start=(${a}, ${o}, ${s}))`,`saddle, end = pair.fixed_points`,``,``,`def error(t):`,`    state = pair.solve(t)`,`    return float(2 * state.w - state.y + pair.dy)`,``,``,`def lose(share):`,`    goal, latest = error(0.0) + share * (error(float('inf')) - error(0.0)), 1.0`,`    while error(latest) > goal:`,`        latest *= 2`,`    return scipy.optimize.brentq(lambda t: error(t) - goal, 0.0, latest, xtol=1e-14)`,``,``,`numbers = {`,`    \"final\": pair.final_distance,`,`    \"low\": pair.low,`,`    \"high\": pair.high,`,`    \"escape\": saddle.eigenvalues[0],`,`    \"settle\": min(map(abs, end.eigenvalues)),`,`    \"wait\": lose(0.9) and lose(0.1) / lose(0.9),`,`}`].join(`\n`)}},En=Math.sqrt(2/3);function Dn(e){return{name:`linear`,pathways:2,s:e/2,d:e*e/2}}function On(e){let t=2+e*e;return{name:`xor`,pathways:4,s:Math.sqrt(t)/4,d:t/4}}function kn(e,t,n,r){return r===0?0:r/(r*(t>0?-Math.expm1(-2*t*e)*n/t:2*n*e)+Math.exp(-2*t*e))}function An(e,t){return e>0?Math.log1p(t*e)/e:t}function jn(e,t,n){return Math.floor(t/e.pathways)*n*n/2}function Mn(e,t,n,r){let{pathways:i,s:a,d:o}=e;if(a===0)return .5;let s=kn(t*An(a,n),a,o,r);return .5-i*a*s+.5*i*o*s*s}function Nn(e,t,n,r){let{s:i,d:a}=e;if(i===0||r===0)return 1/0;let o=1-Math.sqrt(2*t),s=r*a/i;return s>=o?0:Math.log(o*(1-s)/(s*(1-o)))/(2*i)/An(i,n)}let $=.2,Pn=Array.from({length:13},(e,t)=>t/4),Fn=1e-6;function In(e){let[t,n,r]=[y(e,`delta`),y(e,`units`),y(e,`rate`)],i=y(e,`scale`)/Math.sqrt(n),a=On(0),o=1.2*Nn(a,$,r,jn(a,n,Fn/Math.sqrt(n))),s=Math.ceil(o/20)*20;return{delta:t,units:n,rate:r,std:i,last:s,every:Math.ceil(s/300)}}function Ln({last:e,every:t}){return Array.from({length:Math.floor(e/t)+1},(e,n)=>n*t)}function*Rn(e){let t=In(e),{units:r,rate:i,std:a,every:o}=t,s=Ln(t),c=Math.max(1,Math.round(1e5/r)),l=g(t.delta),u=Array.from({length:5},(e,t)=>n.random(l,r,a,t)),d=u.map(e=>[e.loss()]),f=0;for(let e=1;e<s.length;e++)u.forEach((e,t)=>{for(let t=0;t<o;t++)e.step(i);d[t].push(e.loss())}),f+=o*5,!(f<c)&&(f=0,yield{steps:s.slice(0,e+1),losses:d.map(e=>[...e]),sweep:[]});let p={steps:s,losses:d,shares:zn(u)},m=[];yield{...p,sweep:[]};for(let e of Pn){let t=Array.from({length:3},(t,o)=>{let c=n.random(g(e),r,a,o),l=[c.loss()],u=s.at(-1);for(let e=0;e<u&&l[e]>$;e++)c.step(i),l.push(c.loss());return S(Array.from(l.keys()),l,$)});m.push(t.reduce((e,t)=>e+t,0)/3),yield{...p,sweep:[...m]}}}function zn(e){let t={xor:0,linear:0};for(let n of e){let r=n.sizes(),i=r.reduce((e,t)=>e+t,0);r.forEach((r,a)=>{let o=n.activity.subarray(4*a,4*a+4),s=Math.max(...o),c=Array.from(o,e=>+(e>.1*s)).join(``),l=r/i/e.length;c===`0110`||c===`1001`?t.linear+=l:c.replaceAll(`0`,``)===`1`&&(t.xor+=l)})}return t}let Bn=e=>`${Math.round(100*e)}\\u00a0%`,Vn=e=>Number.isFinite(e)?`${Math.round(e)}`:`never`,Hn=e=>Number.isFinite(e)?e.toFixed(1):`never`,Un=[`no`,`one`,`two`,`three`,`four`,`five`];function Wn(e){let t=e.reduce((e,t)=>e+t,0)/e.length;return[t,Math.sqrt(e.reduce((e,n)=>e+(n-t)**2,0)/e.length)]}let Gn={id:`race`,title:`Race`,question:`When does a ReLU network leave a linear solution for a nonlinear one?`,paper:{text:`Jarvis, Klein, Rosman and Saxe 2025, section 3`,href:`https://arxiv.org/abs/2503.06181`},theory:{text:`Four points form XOR in two inputs and are linearly separable, with margin 2Δ, in a third. Two gatings compete: two pathways by the sign of the target (linear), or one pathway per point (XOR). Each pathway is a linear network with one mode, solved in closed form. It starts where random weights put it, nσ²/2 for its n units, and grows at the rate of its singular value s; a finite step η slows it a little. Nothing is fitted.`,equations:[`a(t) = (s/d) / (1 − (1 − s/(d a₀)) e^{−2st}),  t = steps · ln(1 + ηs)/s,  a₀ = nσ²/2`,`linear: s = Δ/2, d = Δ²/2, n = N/2, L = ½ − Δa + ½Δ²a²`,`XOR: s = √(2+Δ²)/4, d = (2+Δ²)/4, n = N/4, L = ½ − 4sa + 2da²`,`s equal, and the winner changes, at Δ = √(2/3)`]},controls:[{kind:`slider`,id:`delta`,label:`Margin Δ`,help:`How far apart the classes are in the third input; at 0 the task is XOR.`,min:0,max:3,step:.05,value:.5,format:e=>e.toFixed(2)},{kind:`slider`,id:`scale`,label:`Initial scale σ√N`,help:`Standard deviation σ of an initial weight times the root of the number N of hidden units; 2×10⁻⁴ in the paper.`,min:Fn,max:1,step:.1,value:2e-4,log:!0},{kind:`slider`,id:`units`,label:`Hidden units N`,help:`Width of the ReLU networks; 128 in the paper. Both gatings divide these units among their pathways.`,min:8,max:512,step:8,value:128},{kind:`slider`,id:`rate`,label:`Step size η`,help:`Step of gradient descent on the mean loss; 0.4 in the paper.`,min:.05,max:.6,step:.05,value:.4,format:e=>e.toFixed(2)}],view(e,t){let n=In(e),{delta:r,units:i,rate:a,std:o,last:s}=n,c=Ln(n),[l,u]=[Dn(r),On(r)].map(e=>{let t=jn(e,i,o),n=Nn(e,$,a,t);return{s:e.s,time:n,loss:c.map(n=>Mn(e,n,a,t))}}),d=t?.losses.map(e=>S(t.steps,e,$))??[],f=d.length>0&&d.every(Number.isFinite),[p,m]=f?Wn(d):[NaN,NaN],h=(t?.losses??[]).map((e,n)=>({label:n?`ReLU network, seed ${n}`:`ReLU networks, ${i} units`,x:t.steps,y:e,colour:6,width:1.25,quiet:n>0})),g=Array.from({length:121},(e,t)=>t*3/120),_=e=>g.map(t=>{let n=e(t),r=Nn(n,$,a,jn(n,i,o));return r<=s?r:NaN});return{sentence:Kn(n,l.time,u.time,f?[p,m]:void 0,t?.shares),numbers:[{id:`steps_linear`,label:`linear gating, steps to loss ${$}`,value:l.time,format:Hn},{id:`steps_xor`,label:`XOR gating, steps to loss ${$}`,value:u.time,format:Hn},...f?[{id:`steps_relu`,label:`ReLU networks, mean of 5`,value:p,format:Hn}]:[],{id:`s_linear`,label:`singular value, linear`,value:l.s},{id:`s_xor`,label:`singular value, XOR`,value:u.s},{id:`crossover`,label:`crossover Δ`,value:En}],charts:[{kind:`lines`,id:`loss`,title:`Loss at Δ = ${r.toFixed(2)}`,x:{label:`gradient steps`,values:c,range:[0,s]},y:{label:`loss`,range:[0,.6]},lines:[{label:`linear gating, closed form`,y:l.loss,colour:0,width:4},{label:`XOR gating, closed form`,y:u.loss,colour:1,width:4,dash:`dash`},...h],marks:[{axis:`y`,at:$,label:`learned`}]},{kind:`lines`,id:`time`,title:`Learning time by margin`,x:{label:`margin Δ`,values:g,range:[0,3]},y:{label:`steps to loss ${$}`,range:[0,s]},lines:[{label:`linear gating`,y:_(Dn),colour:0,width:4},{label:`XOR gating`,y:_(On),colour:1,width:4,dash:`dash`},...t?.sweep.length?[{label:`ReLU networks, mean of 3`,x:Pn.slice(0,t.sweep.length),y:t.sweep,colour:6,width:1.25}]:[]],marks:[{axis:`x`,at:En,label:`√(2/3)`},{axis:`x`,at:r,label:`Δ`,colour:2}]}]}},live:{label:`Train ${Un[5]} ReLU networks`,key:e=>[`delta`,`scale`,`units`,`rate`].map(t=>e[t]).join(),run:Rn},python(e){let{delta:t,units:n,rate:r}=In(e);return[`import numpy as np`,`import festina as fs`,``,`task = fs.tasks.extended_xor(${t})`,`std, units, rate = ${y(e,`scale`)} / np.sqrt(${n}), ${n}, ${r}`,`sign = task.y[:, 0]`,`gatings = {\"linear\": np.array([sign > 0, sign < 0]), \"xor\": np.eye(4)}`,`numbers = {\"crossover\": float(np.sqrt(2 / 3))}`,`for name, gates in gatings.items():`,`    network = fs.gated.pathways(gates, 1, initial=fs.initial.Gaussian(std))`,`    own = task.statistics(network).effective[0]`,`    s, d = (own.strengths[0], own.curvatures[0]) if own.rank else (0.0, 0.0)`,`    start = units // len(gates) * std**2 / 2`,`    end = s / d * (1 - np.sqrt(2 * ${$})) if s else np.inf`,`    time = fs.linear.time_to_strength(max(end, start), s, d, start) if s else np.inf`,`    numbers[f\"s_{name}\"] = float(s)`,`    numbers[f\"steps_{name}\"] = float(time * s / np.log1p(rate * s)) if s else np.inf`].join(`\n`)}};function Kn({delta:e,rate:t},n,r,i,a){let o=Math.min(n,r),s=Math.max(n,r),[c,l]=n<r?[`linear`,`XOR`]:[`XOR`,`linear`],u=e<En?`below`:`above`,d=s-o<.5?`At Δ = ${e.toFixed(2)} both gatings learn in ${Vn(o)} steps`:`At Δ = ${e.toFixed(2)}, ${u} the crossover √(2/3) ≈ 0.82, the ${c} gating wins: it learns in ${Vn(o)} steps, the ${l} one ${Number.isFinite(s)?`in ${Vn(s)}`:`never`}`;if(!i)return`${d}${a?`; the ReLU networks have not learned in the time shown`:``}.`;let[f,p]=i,m=f-o,h=Math.abs(m)*t<=.8?`as predicted`:`${Math.abs(m).toFixed(1)} ${m>0?`later`:`earlier`} than predicted`,g=`${d}; ReLU networks take ${f.toFixed(1)} ± ${p.toFixed(1)}, ${h}`;if(!a)return`${g}.`;let[_,v]=a.xor>a.linear?[a.xor,`on at a single point`]:[a.linear,`on at both points of one sign`];return`${g}, with ${Bn(_)} of their map in units ${v}.`}let qn=[Gn,Yt,ot,oe,Tn];self.addEventListener(`message`,e=>{let t=qn.find(({id:t})=>t===e.data.id);for(let n of t?.live?.run(e.data.state)??[])self.postMessage({snapshot:n});self.postMessage({done:!0})})})();", Pa = typeof self < "u" && self.Blob && new Blob(["(self.URL || self.webkitURL).revokeObjectURL(self.location.href);", Na], { type: "text/javascript;charset=utf-8" });
function Fa(e) {
	let t;
	try {
		if (t = Pa && (self.URL || self.webkitURL).createObjectURL(Pa), !t) throw "";
		let n = new Worker(t, { name: e?.name });
		return n.addEventListener("error", () => {
			(self.URL || self.webkitURL).revokeObjectURL(t);
		}), n;
	} catch {
		return new Worker("data:text/javascript;charset=utf-8," + encodeURIComponent(Na), { name: e?.name });
	}
}
//#endregion
//#region src/live.ts
function Ia(e, t, n, r) {
	let i = () => {}, a = () => {
		let a = e.live.run(t), o = !1;
		i = () => {
			o = !0;
		};
		let s = () => {
			if (o) return;
			let { value: e, done: t } = a.next();
			if (t) return r();
			n(e), setTimeout(s);
		};
		setTimeout(s);
	};
	try {
		let o = new Fa();
		i = () => o.terminate(), o.addEventListener("message", ({ data: e }) => "done" in e ? r() : n(e.snapshot)), o.addEventListener("error", (e) => {
			e.preventDefault(), o.terminate(), a();
		}, { once: !0 }), o.postMessage({
			id: e.id,
			state: t
		});
	} catch {
		a();
	}
	return () => i();
}
//#endregion
//#region src/app.ts
var La = 350, Ra = class {
	topic;
	state;
	look;
	hooks;
	live;
	root = Z("section", { class: "topic" });
	controls = new Ta((e) => this.change(e));
	sentence = Z("p", {
		class: "sentence",
		"aria-live": "polite"
	});
	numbers = Z("dl", { class: "numbers" });
	charts = Z("div", { class: "charts" });
	code = Z("code");
	status = Z("span", {
		class: "status",
		"aria-hidden": "true"
	});
	switch;
	figures = /* @__PURE__ */ new Map();
	observer = new ResizeObserver(() => this.figures.forEach((e) => e.fit()));
	snapshot;
	training = "off";
	key;
	stop = () => {};
	pause;
	frame;
	shown;
	constructor(e, t, n, r, i) {
		this.topic = e, this.state = t, this.look = n, this.hooks = r, this.live = i;
		let a = Z("div", { class: "panel" }, this.controls.root);
		e.live && (this.switch = Z("button", {
			type: "button",
			class: "train",
			"data-control": "live"
		}, Z("span", { class: "lamp" }), e.live.label, this.status), this.switch.addEventListener("click", () => {
			this.train(!this.live), this.hooks.switched?.(this.live);
		}), a.append(this.switch));
		let o = Z("header", {}, Z("h2", {}, e.question)), s = Z("div", { class: "side" }, a, this.numbers);
		this.root.append(o, s, Z("div", { class: "seen" }, this.sentence, this.charts, Ba(e, this.code))), this.observer.observe(this.charts), this.follow(), this.paint();
	}
	set(e) {
		this.state = e, this.follow(), this.schedule();
	}
	train(e) {
		this.live !== e && (this.live = e, this.key = void 0, this.follow(), this.schedule());
	}
	restyle(e) {
		this.look = e, this.schedule();
	}
	view() {
		return this.frame !== void 0 && this.paint(), {
			...this.shown,
			training: this.training
		};
	}
	close() {
		this.halt(), this.observer.disconnect(), this.frame !== void 0 && cancelAnimationFrame(this.frame);
	}
	change(e) {
		this.set(xa(this.topic, {
			...this.state,
			...e
		}).state), this.hooks.changed(this.state);
	}
	halt() {
		clearTimeout(this.pause), this.stop(), this.stop = () => {};
	}
	follow() {
		let { live: e } = this.topic;
		if (!e) return;
		let t = this.live ? e.key(this.state) : void 0;
		(t === void 0 || t !== this.key) && (this.halt(), this.snapshot = void 0, this.key = t, this.training = t === void 0 ? "off" : "waiting", t !== void 0 && (this.pause = setTimeout(() => this.begin(), La))), this.switch.setAttribute("aria-pressed", String(this.live)), this.say();
	}
	begin() {
		this.training = "running", this.say(), this.stop = Ia(this.topic, this.state, (e) => {
			this.snapshot = e, this.schedule();
		}, () => {
			this.training = "done", this.say();
		});
	}
	say() {
		this.status.textContent = {
			off: "off",
			waiting: "…",
			running: "training",
			done: "done"
		}[this.training], this.switch.dataset.training = this.training;
	}
	schedule() {
		this.frame ??= requestAnimationFrame(() => this.paint());
	}
	paint() {
		this.frame !== void 0 && cancelAnimationFrame(this.frame), this.frame = void 0;
		let { topic: e, state: t, look: n } = this;
		this.controls.update(ga(e, t), t);
		let r = e.view(t, this.snapshot);
		this.shown = {
			topic: e.id,
			state: t,
			sentence: r.sentence,
			numbers: Object.fromEntries(r.numbers.map(({ id: e, value: t }) => [e, t])),
			charts: r.charts,
			training: this.training
		}, this.sentence.textContent = r.sentence, this.numbers.replaceChildren(...r.numbers.map(za)), this.code.textContent = e.python(t), this.arrange(r.charts);
		for (let e of r.charts) this.figures.get(e.id).update(e, n);
		this.hooks.drawn?.(this.shown);
	}
	arrange(e) {
		let t = e.map((e) => `${e.kind} ${e.id}`).join();
		if (this.charts.dataset.ids === t) return;
		this.charts.dataset.ids = t;
		let n = new Map(e.map((e) => [e.id, new da(e, this.look, this.topic.id)]));
		this.figures.clear(), n.forEach((e, t) => this.figures.set(t, e)), this.charts.replaceChildren(...[...n.values()].map((e) => e.root));
	}
};
function za({ id: e, label: t, value: n, unit: r, format: i }) {
	let a = Z("dd", {}, (i ?? gi)(n));
	return r && a.append(" ", Z("small", {}, r)), Z("div", { "data-number": e }, Z("dt", {}, t), a);
}
function Ba(e, t) {
	let n = e.theory.equations.map((e) => Z("li", {}, e)), r = Z("a", {
		href: e.paper.href,
		target: "_blank",
		rel: "noopener noreferrer"
	}, e.paper.text), i = Z("button", {
		type: "button",
		class: "copy"
	}, "Copy");
	return i.addEventListener("click", () => Va(i, t.textContent ?? "")), Z("div", { class: "words" }, Z("details", {}, Z("summary", {}, "The theory"), Z("p", {}, e.theory.text), Z("ul", { class: "equations" }, ...n), Z("p", {}, "Source: ", r)), Z("details", {}, Z("summary", {}, "The same in Python"), i, Z("pre", {}, t)));
}
async function Va(e, t) {
	let n = e.textContent;
	try {
		await navigator.clipboard.writeText(t), e.textContent = "Copied";
	} catch {
		e.textContent = "Copying is not allowed here";
	}
	setTimeout(() => {
		e.textContent = n;
	}, 1500);
}
function Ha(e) {
	let t = e.dataset.theme;
	return {
		palette: (t ? t === "dark" : matchMedia("(prefers-color-scheme: dark)").matches) ? Ni : Mi,
		letter: Math.round(Number.parseFloat(getComputedStyle(e).fontSize) * .82)
	};
}
//#endregion
//#region src/learn/random.ts
function Ua(e) {
	let t = 2654435769, n = 608135816, r = e | 0, i = 1, a = () => {
		let e = (t + n | 0) + i | 0;
		return i = i + 1 | 0, t = n ^ n >>> 9, n = r + (r << 3) | 0, r = (r << 21 | r >>> 11) + e | 0, (e >>> 0) / 4294967296;
	};
	for (let e = 0; e < 20; e++) a();
	return a;
}
function Wa(e) {
	let t = Ua(e), n;
	return () => {
		if (n !== void 0) {
			let e = n;
			return n = void 0, e;
		}
		let e = Math.sqrt(-2 * Math.log(1 - t())), r = 2 * Math.PI * t();
		return n = e * Math.sin(r), e * Math.cos(r);
	};
}
//#endregion
//#region src/learn/relu.ts
var Ga = 4, Ka = class e {
	hidden;
	points;
	inputs;
	outputs;
	first;
	second;
	activity;
	y;
	error;
	places;
	values;
	on;
	back;
	constructor(e, t) {
		this.hidden = t, this.points = e.x.length, this.inputs = e.x[0].length;
		let n = Math.ceil(e.y[0].length / Ga) * Ga;
		this.outputs = n, this.first = new Float64Array(t * this.inputs), this.second = new Float64Array(t * n), this.activity = new Float64Array(t * this.points), this.y = new Float64Array(this.points * n), e.y.forEach((e, t) => this.y.set(e, t * n)), this.error = new Float64Array(this.y.length), this.on = new Int32Array(Math.max(t, this.points)), this.back = new Float64Array(this.points), this.places = e.x.map((e) => Int32Array.from(e.flatMap((e, t) => e === 0 ? [] : [t]))), this.values = e.x.map((e) => Float64Array.from(e.filter((e) => e !== 0)));
	}
	static random(t, n, r, i) {
		let a = new e(t, n), o = Wa(i);
		for (let e = 0; e < a.first.length; e++) a.first[e] = r * o();
		let s = t.y[0].length;
		for (let e = 0; e < n; e++) for (let t = 0; t < s; t++) a.second[e * a.outputs + t] = r * o();
		return a;
	}
	static from(t, n) {
		let r = new e(t, n.first.length);
		return r.first.set(n.first.flat()), n.second.forEach((e, t) => e.forEach((e, n) => r.second[n * r.outputs + t] = e)), r;
	}
	loss() {
		let { hidden: e, points: t, inputs: n, outputs: r, first: i, second: a, activity: o, error: s, y: c, on: l } = this, u = 0;
		for (let d = 0; d < t; d++) {
			let f = this.places[d], p = this.values[d], m = 0;
			for (let r = 0; r < e; r++) {
				let e = 0;
				for (let t = 0; t < f.length; t++) e += i[r * n + f[t]] * p[t];
				o[r * t + d] = e > 0 ? e : 0, e > 0 && (l[m++] = r);
			}
			for (let e = 0; e < r; e += Ga) {
				let n = d * r + e, i = -c[n], f = -c[n + 1], p = -c[n + 2], h = -c[n + 3];
				for (let n = 0; n < m; n++) {
					let s = l[n], c = o[s * t + d], u = s * r + e;
					i += c * a[u], f += c * a[u + 1], p += c * a[u + 2], h += c * a[u + 3];
				}
				s[n] = i, s[n + 1] = f, s[n + 2] = p, s[n + 3] = h, u += i * i + f * f + p * p + h * h;
			}
		}
		return u / (2 * t);
	}
	step(e) {
		let t = this.loss(), { hidden: n, points: r, inputs: i, outputs: a, first: o, second: s, activity: c, error: l, on: u, back: d } = this, f = e / r;
		for (let e = 0; e < n; e++) {
			let t = 0;
			for (let n = 0; n < r; n++) c[e * r + n] > 0 && (d[t] = 0, u[t++] = n);
			for (let n = 0; n < a; n += Ga) {
				let i = e * a + n, o = s[i], p = s[i + 1], m = s[i + 2], h = s[i + 3], g = 0, _ = 0, v = 0, y = 0;
				for (let i = 0; i < t; i++) {
					let t = u[i], s = c[e * r + t], f = t * a + n, b = l[f], x = l[f + 1], S = l[f + 2], C = l[f + 3];
					g += s * b, _ += s * x, v += s * S, y += s * C, d[i] += b * o + x * p + S * m + C * h;
				}
				s[i] = o - f * g, s[i + 1] = p - f * _, s[i + 2] = m - f * v, s[i + 3] = h - f * y;
			}
			for (let n = 0; n < t; n++) {
				let t = this.places[u[n]], r = this.values[u[n]], a = f * d[n];
				for (let n = 0; n < t.length; n++) o[e * i + t[n]] -= a * r[n];
			}
		}
		return t;
	}
	sizes() {
		let { hidden: e, points: t, outputs: n, activity: r, second: i } = this;
		return new Float64Array(e).map((e, a) => {
			let o = 0, s = 0;
			for (let e = 0; e < t; e++) o += r[a * t + e] ** 2;
			for (let e = 0; e < n; e++) s += i[a * n + e] ** 2;
			return Math.sqrt(o * s);
		});
	}
}, qa = [
	[1 / 5],
	[3 / 40, 9 / 40],
	[
		44 / 45,
		-56 / 15,
		32 / 9
	],
	[
		19372 / 6561,
		-25360 / 2187,
		64448 / 6561,
		-212 / 729
	],
	[
		9017 / 3168,
		-355 / 33,
		46732 / 5247,
		49 / 176,
		-5103 / 18656
	],
	[
		35 / 384,
		0,
		500 / 1113,
		125 / 192,
		-2187 / 6784,
		11 / 84
	]
], Ja = [
	71 / 57600,
	0,
	-71 / 16695,
	71 / 1920,
	-17253 / 339200,
	22 / 525,
	-1 / 40
];
function Ya(e) {
	let t = e * e * (3 - 2 * e), n = (e * (e - 1)) ** 2;
	return [
		t * 35 / 384 + e * (e - 1) ** 2 - n * 5 * (2558722523 - 31403016 * e) / 11282082432,
		0,
		t * 500 / 1113 + n * 100 * (882725551 - 15701508 * e) / 32700410799,
		t * 125 / 192 - n * 25 * (443332067 - 31403016 * e) / 1880347072,
		t * -2187 / 6784 + n * 32805 * (23143187 - 3489224 * e) / 199316789632,
		t * 11 / 84 - n * 55 * (29972135 - 7076736 * e) / 822651844,
		e * e * (e - 1) + n * 10 * (7414447 - 829305 * e) / 29380423
	];
}
var Xa = 1e5;
function Za(e, t, n, r, i, a) {
	let o = t.length, s = Array.from({ length: 7 }, () => new Float64Array(o)), c = Float64Array.from(t), l = new Float64Array(o), u = new Float64Array(o), d = new Float64Array(o), f = new Float64Array(o), p = n[n.length - 1] ?? 0, m = 0, h = 0, g = p / 1e3;
	for (; h < n.length && n[h] <= 0; h++) a(h, c);
	e(c, s[0]);
	for (let t = 0; h < n.length; t++) {
		if (t > Xa) throw Error("the integration takes too many steps");
		let _ = Math.min(g, p - m);
		for (let t = 0; t < 6; t++) Qa(l, c, s, qa[t], _), e(l, s[t + 1]);
		Qa(d, f, s, Ja, _);
		let v = 0;
		for (let e = 0; e < o; e++) {
			let t = i + r * Math.max(Math.abs(c[e]), Math.abs(l[e])), n = Math.abs(d[e]) / t;
			n <= v || (v = n);
		}
		if (!Number.isFinite(v)) throw Error("the integration left the finite numbers");
		if (g = _ * Math.min(5, Math.max(.2, .9 * Math.max(v, 1e-10) ** -.2)), v > 1) continue;
		let y = _ < p - m ? m + _ : p;
		for (u.set(l); h < n.length && n[h] <= y; h++) n[h] < y ? Qa(l, c, s, Ya((n[h] - m) / _), _) : l.set(u), a(h, l);
		m = y, c.set(u), s[0].set(s[6]);
	}
}
function Qa(e, t, n, r, i) {
	for (let a = 0; a < r.length; a += 3) {
		let o = a === 0 ? t : e, [s, c, l] = [
			n[a],
			n[a + 1] ?? t,
			n[a + 2] ?? t
		], [u, d, f] = [
			i * r[a],
			i * (r[a + 1] ?? 0),
			i * (r[a + 2] ?? 0)
		];
		for (let t = 0; t < e.length; t++) e[t] = o[t] + u * s[t] + d * c[t] + f * l[t];
	}
}
var $a = [
	{
		square: 15,
		modes: 1
	},
	{
		square: 7,
		modes: 1
	},
	{
		square: 3,
		modes: 2
	},
	{
		square: 1,
		modes: 4
	}
], eo = Math.sqrt(8);
function to(e) {
	let t = (Math.sqrt(e + 1) - 1) / e;
	return Array.from({ length: e }, (n, r) => new Float64Array(e).map((e, n) => t + +(n === r)));
}
function no(e, t) {
	let n = 8 * e, r = [], i = [];
	for (let { square: a, modes: o } of $a) {
		let s = Math.sqrt(a) / n, c = a === $a[0].square;
		for (let n = 0; n < o; n++) {
			if (c && t === e) {
				r.push(s * Math.sqrt((e + 1) * (e + 8)));
				for (let t = 1; t < e; t++) r.push(s * Math.sqrt(8));
			} else r.push(s * Math.sqrt(t * t + t));
			c || i.push(s * Math.sqrt(t * (e - t) / e));
		}
	}
	return {
		raw: r.sort((e, t) => t - e),
		left: i.sort((e, t) => t - e)
	};
}
function ro(e, t, n, r, i = 1e-7) {
	let a = r.map(() => 0), o = t.map(() => r.map(() => 0)), s = 8 * e, c = to(e), l = t.map((e, t) => t).filter((e) => t[e].some(Boolean));
	for (let { square: u, modes: d } of $a) {
		let f = Math.sqrt(u), p = io(e, l.map((e) => t[e]), u === $a[0].square), m = ao(e, p, c, Math.sqrt(n)), h = Float64Array.from(c.flatMap((e) => Array.from(e, (e) => f * e))), g = new Float64Array(h.length), _ = p.map(({ hidden: t }) => new Float64Array(t > 1 ? t * e : 0)), v = new Float64Array(e), y = (t) => {
			g.set(h);
			for (let n = 0; n < p.length; n++) {
				let { at: r, out: i, hidden: a, features: o, open: s } = p[n];
				if (a === 1) {
					let n = t[r];
					for (let r = 0; r < e; r++) {
						let a = n * t[i + r];
						for (let t = 0; t < s.length; t++) g[s[t] * e + r] -= a;
					}
					continue;
				}
				let c = _[n];
				for (let n = 0; n < a; n++) {
					let a = r + n * o;
					for (let r = 0; r < e; r++) {
						let o = t[a] + eo * t[a + r + 1];
						c[n * e + r] = o;
						for (let a = 0; a < e; a++) g[r * e + a] -= o * t[i + n * e + a];
					}
				}
			}
		};
		Za((t, n) => {
			y(t);
			for (let r = 0; r < p.length; r++) {
				let { at: i, out: a, hidden: o, features: c, open: l } = p[r];
				if (o === 1) {
					let r = t[i] / s, o = 0;
					for (let i = 0; i < e; i++) {
						let s = 0;
						for (let t = 0; t < l.length; t++) s += g[l[t] * e + i];
						n[a + i] = r * s, o += t[a + i] * s;
					}
					n[i] = o / s;
					continue;
				}
				let u = _[r];
				for (let r = 0; r < o; r++) {
					let o = i + r * c;
					v.fill(0);
					let l = 0;
					for (let i = 0; i < e; i++) {
						let c = u[r * e + i], d = 0;
						for (let n = 0; n < e; n++) {
							let o = g[i * e + n];
							d += t[a + r * e + n] * o, v[n] += c * o;
						}
						l += d, n[o + i + 1] = eo * d / s;
					}
					n[o] = l / s;
					for (let t = 0; t < e; t++) n[a + r * e + t] = v[t] / s;
				}
			}
		}, m, r, i, i * Math.sqrt(n), (t, n) => {
			y(n);
			let r = 0;
			for (let e of g) r += e * e;
			a[t] += d * r / (2 * s), p.forEach((r, i) => o[l[i]][t] += d * oo(r, n, e));
		});
	}
	return {
		times: [...r],
		loss: a,
		strengths: o.map((e) => e.map(Math.sqrt))
	};
}
function io(e, t, n) {
	let r = 0;
	return t.map((t) => {
		let [i, a] = n && t.every(Boolean) ? [e, e + 1] : [1, 1], o = Array.from(t.keys()).filter((e) => t[e]), s = {
			at: r,
			out: r + i * a,
			hidden: i,
			features: a,
			open: o
		};
		return r += i * (a + e), s;
	});
}
function ao(e, t, n, r) {
	let i = t.at(-1), a = new Float64Array(i ? i.at + i.hidden * (i.features + e) : 0);
	for (let { at: i, out: o, hidden: s, features: c, open: l } of t) if (s > 1) {
		let t = Math.sqrt(e + 8);
		for (let n = 0; n < s; n++) {
			a[i + n * c] = r / t;
			for (let o = 0; o < e; o++) a[i + n * c + o + 1] = r * (+(n === o) - (1 - eo / t) / e);
			a[o + n * e + n] = r;
		}
	} else {
		let t = 0;
		for (let r = 0; r < e; r++) {
			let e = 0;
			for (let t of l) e += n[t][r];
			a[o + r] = e, t += e * e;
		}
		for (let n = 0; n < e; n++) a[o + n] *= r / Math.sqrt(t);
		a[i] = r;
	}
	return a;
}
function oo({ at: e, out: t, hidden: n, features: r }, i, a) {
	let o = 0;
	for (let s = 0; s < a; s++) for (let c = 0; c < r; c++) {
		let l = 0;
		for (let o = 0; o < n; o++) l += i[t + o * a + s] * i[e + o * r + c];
		o += l * l;
	}
	return o;
}
//#endregion
//#region src/learn/task.ts
function so(e) {
	let t = [
		[-1, -1],
		[1, -1],
		[-1, 1],
		[1, 1]
	];
	return {
		x: t.map(([t, n]) => [
			t,
			n,
			-t * n * e
		]),
		y: t.map(([e, t]) => [-e * t])
	};
}
function co(e) {
	let t = to(e), n = lo(), r = [], i = [];
	for (let a = 0; a < e; a++) for (let o = 0; o < 8; o++) {
		let s = Array(8 + e).fill(0);
		s[o] = 1, s[8 + a] = 1, r.push(s), i.push(n.flatMap(({ sigma: e, vector: n }) => Array.from(t[a], (t) => e * n[o] * t)));
	}
	return {
		x: r,
		y: i
	};
}
function lo() {
	return $a.flatMap(({ square: e, modes: t }, n) => {
		let r = n === 0 ? 8 : 8 / t;
		return Array.from({ length: t }, (t, i) => {
			let a = Array.from({ length: 8 }, (e, t) => Math.floor(t / r) === i ? (n > 0 && t % r >= r / 2 ? -1 : 1) / Math.sqrt(r) : 0);
			return {
				sigma: Math.sqrt(e),
				vector: a
			};
		});
	});
}
//#endregion
//#region src/topic.ts
function Q(e, t) {
	let n = e[t];
	if (typeof n != "number") throw Error(`state has no number ${t}`);
	return n;
}
function uo(e, t) {
	let n = e[t];
	if (typeof n != "string") throw Error(`state has no word ${t}`);
	return n;
}
function fo(e, t) {
	let n = e[t];
	if (!Array.isArray(n)) throw Error(`state has no grid ${t}`);
	return n;
}
//#endregion
//#region src/theory/passage.ts
function po(e, t, n) {
	for (let r = 0; r < t.length; r++) {
		if (!(t[r] <= n)) continue;
		if (r === 0) return e[0];
		let i = (t[r - 1] - n) / (t[r - 1] - t[r]);
		return e[r - 1] + i * (e[r] - e[r - 1]);
	}
	return Infinity;
}
function mo(e, t, n) {
	let r = Math.min(e.length, t.length, n.length), i = 0, a = 0;
	for (let o = 1; o < r; o++) {
		let r = (e[o] - e[o - 1]) / 2;
		i += r * (Math.abs(t[o] - n[o]) + Math.abs(t[o - 1] - n[o - 1])), a += r * (n[o] + n[o - 1]);
	}
	return a > 0 ? i / a : NaN;
}
//#endregion
//#region src/topics/contexts.ts
var ho = 3, go = .05, _o = .004, vo = 8, yo = 200, bo = .1, xo = 2e7;
function So(e) {
	let [t, n] = [Q(e, "contexts"), Q(e, "units")], r = Q(e, "scale") / n, i = _o * 8 * t, a = Math.round(vo / _o / yo);
	return {
		contexts: t,
		units: n,
		std: r,
		rate: i,
		start: Math.floor(n / 2) * r * r / 2,
		every: a,
		times: Array.from({ length: 201 }, (e, t) => t * a * i)
	};
}
function Co(e, t) {
	let n = (t) => Array.from({ length: e }, (e, n) => t(n)), r = Array.from({ length: e }, (e, t) => t), i = r.map((t) => n((n) => n !== e - 1 - t)), a = r.map((e) => n((t) => t === e)), o = [n(() => !0)];
	for ((t === "but_one" || t === "all") && o.push(...i), (t === "single" || t === "all" && e > 2) && o.push(...a); o.length < wo(e);) o.push(n(() => !1));
	return o;
}
function wo(e) {
	return e > 2 ? 2 * e + 1 : 3;
}
var To;
function Eo(e, t) {
	let n = JSON.stringify([
		e.contexts,
		e.start,
		t
	]);
	return To?.key !== n && (To = {
		key: n,
		race: ro(e.contexts, t, e.start, e.times)
	}), To.race;
}
function* Do(e) {
	let { contexts: t, units: n, std: r, rate: i, every: a, times: o } = So(e), s = co(t), c = Array.from({ length: ho }, (e, t) => Ka.random(s, n, r, t)), l = c.map((e) => [e.loss()]), u = ho * a * 3 * (8 * t) ** 2 * n, d = Math.max(1, Math.round(xo / u));
	for (let e = 1; e < o.length; e++) c.forEach((e, t) => {
		for (let t = 0; t < a; t++) e.step(i);
		l[t].push(e.loss());
	}), e % d === 0 && e < o.length - 1 && (yield { losses: l.map((e) => [...e]) });
	yield {
		losses: l,
		shares: Oo(c, t)
	};
}
function Oo(e, t) {
	let n = Array(t - 1).fill(0);
	for (let r of e) {
		let i = Array(t).fill(0), a = r.sizes();
		for (let e = 0; e < r.hidden; e++) {
			let n = Array.from({ length: t }, (t, n) => {
				let i = 0;
				for (let t = 0; t < 8; t++) i += r.activity[e * r.points + n * 8 + t];
				return i;
			}), o = Math.max(...n), s = n.filter((e) => e > bo * o).length;
			s > 0 && (i[s - 1] += a[e]);
		}
		let o = i.slice(0, -1).reduce((e, t) => e + t, 0);
		o > 0 && n.forEach((t, r) => n[r] += i[r] / o / e.length);
	}
	return n;
}
function ko(e, t) {
	if (e === t) return {
		label: "common, open in all contexts",
		colour: 6,
		dash: "solid"
	};
	let n = e === 1 ? "open in 1 context" : `open in ${e} contexts`;
	return e === t - 1 ? {
		label: n,
		colour: 1,
		dash: "dash"
	} : e === 1 ? {
		label: n,
		colour: 0,
		dash: "dot"
	} : {
		label: n,
		colour: e === 2 ? 2 : 3,
		dash: "dashdot"
	};
}
var Ao = (e) => `${Math.round(100 * e)}\u00a0%`, jo = [
	"no",
	"one",
	"two",
	"three",
	"four",
	"five"
];
function Mo(e, t) {
	let n = Array(t + 1).fill(0);
	for (let t of e) n[t.filter(Boolean).length]++;
	let r = [];
	n[t] && r.push(n[t] === 1 ? "a common pathway" : `${n[t]} common pathways`);
	for (let e = t - 1; e > 0; e--) {
		let t = n[e];
		if (!t) continue;
		let i = t === 1 ? "" : " each";
		r.push(`${jo[t] ?? t} open in ${e === 1 ? "one context" : `${jo[e]} contexts`}${i}`);
	}
	let i = r.pop();
	return i === void 0 ? "no pathway at all" : r.length ? `${r.join(", ")} and ${i}` : i;
}
var No = {
	id: "contexts",
	title: "Contexts",
	question: "Which pathways does a ReLU network share between contexts?",
	paper: {
		text: "Jarvis, Klein, Rosman and Saxe 2025, sections 4 and 5",
		href: "https://arxiv.org/abs/2503.06181"
	},
	theory: {
		text: "Eight items have properties that all contexts share and properties that belong to one context, each block a hierarchy. A gated network has pathways that are open in some of the contexts. One that is open in all sees items and contexts; the others see items only. All start at the strength nσ²/2 of half of the ReLU network's units, because a random unit is on at any data point with probability ½, and are integrated jointly from the start. On what the common pathway leaves, pathways open in one context and in all but one would be equally fast; but those open in more contexts see more of the raw targets while the common one is still learning, and start ahead. Gates are fixed here; a ReLU network's are not, and it agrees the less the more contexts there are.",
		equations: [
			"dB_p/dt = Σ_{c∈p} (y_c − Σ_{j∋c} B_j A_j) A_pᵀ / N, and likewise A_p; N = 8C",
			"S of a pathway open in k contexts, raw targets: σ √(k² + k) / N",
			"S on what the common pathway leaves: σ √(k (1 − k/C)) / N",
			"σ² of the hierarchy: 15, 7, 3 (twice), 1 (four times)"
		]
	},
	controls(e) {
		let t = typeof e.contexts == "number" ? e.contexts : 3, n = {
			kind: "grid",
			id: "gates",
			label: "Open in context",
			help: "Each row is a pathway; click where it is to be open. A row without any is no pathway.",
			rows: Array.from({ length: wo(t) }, (e, t) => `pathway ${t + 1}`),
			columns: Array.from({ length: t }, (e, t) => `${t + 1}`),
			value: Co(t, "but_one")
		}, r = (e, t, n) => ({
			kind: "button",
			id: e,
			label: t,
			help: n,
			press: (t) => ({ gates: Co(Q(t, "contexts"), e) })
		});
		return [
			{
				kind: "slider",
				id: "contexts",
				label: "Contexts C",
				help: "How many contexts the eight items appear in.",
				min: 2,
				max: 5,
				step: 1,
				value: 3
			},
			n,
			r("but_one", "All but one", "A common pathway, and one closed in each context: what the paper finds."),
			r("single", "Single", "A common pathway, and one for each context alone."),
			r("all", "Both kinds", "A common pathway, those closed in one context and those open in one, racing."),
			r("common", "Common alone", "One pathway that is always open: a linear network."),
			{
				kind: "slider",
				id: "scale",
				label: "Initial scale σN",
				help: "Standard deviation σ of an initial weight times the number N of hidden units; 0.005 in the paper.",
				min: .001,
				max: 1,
				step: .1,
				value: .005,
				log: !0
			},
			{
				kind: "slider",
				id: "units",
				label: "Hidden units N",
				help: "Width of the ReLU networks; the paper has 500 to 700, which takes longer to train here.",
				min: 50,
				max: 500,
				step: 50,
				value: 200
			}
		];
	},
	view(e, t) {
		let n = So(e), { contexts: r, units: i, times: a } = n, o = fo(e, "gates"), s = Eo(n, o), c = o.map((e) => e.filter(Boolean).length), l = po(a, s.loss, go * 4), u = s.loss.at(-1), d = (t?.losses ?? []).map((e, t) => ({
			label: t ? `ReLU network, seed ${t}` : `ReLU networks, ${i} units`,
			x: a.slice(0, e.length),
			y: e,
			colour: 6,
			width: 1.25,
			quiet: t > 0
		})), f = t?.shares && a.map((e, n) => t.losses.reduce((e, t) => e + t[n], 0) / t.losses.length), p = f && mo(a, s.loss, f), m = f && po(a, f, go * 4), h = /* @__PURE__ */ new Set(), g = [];
		o.forEach((e, t) => {
			let n = c[t];
			if (n === 0) return;
			let i = ko(n, r);
			g.push({
				...i,
				label: h.has(n) ? `${i.label}, pathway ${t + 1}` : i.label,
				quiet: h.has(n),
				y: s.strengths[t]
			}), h.add(n);
		});
		let _ = [...h].sort((e, t) => t - e), v = h.has(r), y = _.flatMap((e) => {
			let { label: t, colour: n } = ko(e, r), { raw: i, left: a } = no(r, e), o = Array.from(i.keys(), (e) => e + 1), s = [{
				label: e === r ? t : `${t}, raw targets`,
				x: o,
				y: i,
				colour: n
			}];
			return v && e < r && s.push({
				label: `${t}, what is left`,
				x: o.slice(0, a.length),
				y: a,
				colour: n,
				dash: e === r - 1 ? "dash" : "dot"
			}), s;
		}), b = [
			{
				id: "time",
				label: `this gating, flow time to ${Ao(go)} of the loss`,
				value: l,
				format: Po
			},
			...m === void 0 ? [] : [{
				id: "time_relu",
				label: "ReLU networks, the same",
				value: m,
				format: Po
			}],
			{
				id: "loss_end",
				label: "this gating, last loss",
				value: u
			},
			...p === void 0 ? [] : [{
				id: "area",
				label: "area between the loss curves",
				value: p,
				format: (e) => e.toFixed(3)
			}]
		], x = _.find((e) => e < r);
		if (x !== void 0) {
			let { raw: e, left: t } = no(r, x);
			b.push({
				id: "s_raw",
				label: `S₁, raw targets, ${ko(x, r).label}`,
				value: e[0]
			}), v && b.push({
				id: "s_left",
				label: "S₁, on what the common one leaves",
				value: t[0]
			});
		}
		return {
			sentence: Fo(o, n, {
				learned: l,
				end: u,
				gap: p,
				taught: m
			}, t?.shares),
			numbers: b,
			charts: [
				{
					kind: "lines",
					id: "loss",
					title: "Loss",
					wide: !0,
					x: {
						label: "flow time (step size × steps)",
						values: a,
						range: [0, a.at(-1)]
					},
					y: {
						label: "loss",
						range: [0, 4.4]
					},
					lines: [{
						label: "this gating, predicted by the race",
						y: s.loss,
						colour: 1,
						width: 4
					}, ...d],
					marks: [{
						axis: "y",
						at: go * 4,
						label: "learned"
					}]
				},
				{
					kind: "lines",
					id: "strengths",
					title: "What each pathway carries",
					x: {
						label: "flow time (step size × steps)",
						values: a,
						range: [0, a.at(-1)]
					},
					y: { label: "strength ‖W‖ of its map" },
					lines: g
				},
				{
					kind: "lines",
					id: "values",
					title: "Effective singular values",
					x: {
						label: "mode of the pathway",
						values: Array.from({ length: 8 + r - 1 }, (e, t) => t + 1)
					},
					y: { label: "singular value S" },
					lines: y
				}
			]
		};
	},
	live: {
		label: `Train ${jo[ho]} ReLU networks`,
		key: (e) => [
			"contexts",
			"scale",
			"units"
		].map((t) => e[t]).join(),
		run: Do
	},
	python(e) {
		let { contexts: t, units: n, times: r } = So(e), i = fo(e, "gates").filter((e) => e.some(Boolean)), a = [
			"import numpy as np",
			"import festina as fs",
			"",
			`task = fs.tasks.context(${t})`
		];
		if (!i.length) return [...a, "numbers = {\"time\": np.inf, \"loss_end\": task.statistics.power / 2}"].join("\n");
		let o = i.map((e) => e.filter(Boolean).length), s = Math.max(0, ...o.filter((e) => e < t)), c = [
			...a,
			`open_in = np.array([${i.map((e) => `[${e.map(Number).join(", ")}]`).join(", ")}])`,
			`std, units = ${Q(e, "scale")} / ${n}, ${n}`,
			"gates = np.repeat(open_in, 8, axis=1)",
			"always = open_in.all(axis=1)",
			"inputs = [None if a else range(8) for a in always]",
			`widths = [${8 + t - 1} if a else 8 for a in always]`,
			"start = fs.gated.expected(std, {f\"pathway {i + 1}\": units // 2 for i in range(len(gates))})",
			"network = fs.gated.pathways(gates, widths, inputs=inputs, initial=start)",
			`times = np.linspace(0, ${r.at(-1)}, ${r.length})`,
			"loss = fs.evolve(network, task, times, method=fs.Race()).loss",
			"numbers = {",
			`    "time": fs.gated.first_passage(times, loss, ${go} * task.statistics.power / 2),`,
			"    \"loss_end\": float(loss[-1]),",
			"}"
		];
		if (s > 0) {
			let e = `pathway ${o.indexOf(s) + 1}`;
			c.push("def largest(task):", "    statistics = task.statistics(network)", `    p = [label.split(" → ")[1] for label in statistics.labels].index("${e}")`, "    return float(statistics.effective[p].strengths[0])", "numbers[\"s_raw\"] = largest(task)"), o.includes(t) && c.push("linear = np.linalg.lstsq(task.x, task.y, rcond=None)[0]", "numbers[\"s_left\"] = largest(fs.Task(task.x, task.y - task.x @ linear))");
		}
		return c.join("\n");
	}
}, Po = (e) => Number.isFinite(e) ? e.toFixed(1) : "not in the time shown";
function Fo(e, { contexts: t, times: n }, { learned: r, end: i, gap: a, taught: o }, s) {
	let c = Mo(e, t), l = Number.isFinite(r) ? `With ${c}, the gated network has learned ${jo[t]} contexts at flow time ${r.toFixed(0)}` : `With ${c}, the gated network still has loss ${i.toFixed(2)} of 4 at flow time ${n.at(-1).toFixed(0)}`;
	if (a === void 0 || !s) return `${l}.`;
	let u = o !== void 0 && Number.isFinite(o) ? `at ${o.toFixed(0)}` : "not yet", d = s.indexOf(Math.max(...s)) + 1, f = d === 1 ? "a single context" : `${jo[d]} contexts`;
	return `${l}, ReLU networks ${u}; the area between their loss curves is ${Ao(a)} of that below the ReLU networks'. ${Ao(s[d - 1])} of the ReLU networks' contextual activity is in units on in ${f}.`;
}
//#endregion
//#region src/theory/matrix.ts
function $(e, t) {
	return {
		rows: e,
		columns: t,
		data: new Float64Array(e * t)
	};
}
function Io(e) {
	let t = $(e, e);
	for (let n = 0; n < e; n++) t.data[n * e + n] = 1;
	return t;
}
function Lo(e) {
	let t = $(e.length, e[0]?.length ?? 0);
	return e.forEach((e, n) => t.data.set(e, n * t.columns)), t;
}
function Ro(e) {
	return Array.from({ length: e.rows }, (t, n) => Array.from(e.data.subarray(n * e.columns, (n + 1) * e.columns)));
}
function zo(e) {
	return {
		rows: e.rows,
		columns: e.columns,
		data: e.data.slice()
	};
}
function Bo(e, t) {
	return Array.from({ length: e.rows }, (n, r) => e.data[r * e.columns + t]);
}
function Vo(e) {
	let t = $(e.columns, e.rows);
	for (let n = 0; n < e.rows; n++) for (let r = 0; r < e.columns; r++) t.data[r * e.rows + n] = e.data[n * e.columns + r];
	return t;
}
function Ho(e, t, n = $(e.rows, t.columns)) {
	let { rows: r, columns: i } = e, a = t.columns, o = n.data;
	o.fill(0);
	for (let n = 0; n < r; n++) for (let r = 0; r < i; r++) {
		let s = e.data[n * i + r];
		if (s !== 0) for (let e = 0; e < a; e++) o[n * a + e] += s * t.data[r * a + e];
	}
	return n;
}
function Uo(e, t, n = $(e.columns, t.columns)) {
	let r = n.data;
	r.fill(0);
	for (let n = 0; n < e.rows; n++) for (let i = 0; i < e.columns; i++) {
		let a = e.data[n * e.columns + i];
		if (a !== 0) for (let e = 0; e < t.columns; e++) r[i * t.columns + e] += a * t.data[n * t.columns + e];
	}
	return n;
}
function Wo(e, t, n = $(e.rows, t.rows)) {
	let r = e.columns;
	for (let i = 0; i < e.rows; i++) for (let a = 0; a < t.rows; a++) {
		let o = 0;
		for (let n = 0; n < r; n++) o += e.data[i * r + n] * t.data[a * r + n];
		n.data[i * t.rows + a] = o;
	}
	return n;
}
function Go(e, t) {
	return {
		rows: e.rows,
		columns: e.columns,
		data: e.data.map((e) => t * e)
	};
}
function Ko(e, t) {
	let n = 0;
	for (let r = 0; r < e.data.length; r++) n += e.data[r] * t.data[r];
	return n;
}
function qo(e) {
	let t = 0;
	for (let n = 0; n < Math.min(e.rows, e.columns); n++) t += e.data[n * e.columns + n];
	return t;
}
function Jo(e, t, n, r, i, a, o) {
	for (let s = 0; s < n; s++) {
		let n = e[s * t + r], c = e[s * t + i];
		e[s * t + r] = a * n - o * c, e[s * t + i] = o * n + a * c;
	}
}
var Yo = 60;
function Xo(e, t) {
	let n = e / (2 * t), r = Math.abs(n) > 1e150 ? Math.abs(n) : Math.sqrt(1 + n * n);
	return (n >= 0 ? 1 : -1) / (Math.abs(n) + r);
}
function Zo(e) {
	let t = e.rows, n = zo(e), r = Io(t), i = (e, r) => n.data[e * t + r];
	for (let e = 0; e < Yo; e++) {
		let e = !1;
		for (let a = 0; a < t - 1; a++) for (let o = a + 1; o < t; o++) {
			let s = i(a, o);
			if (Math.abs(s) <= 2 ** -52 * .25 * Math.sqrt(Math.abs(i(a, a) * i(o, o))) || s === 0 || Math.abs(s) < 1e-300) continue;
			e = !0;
			let c = Xo(i(o, o) - i(a, a), s), l = 1 / Math.sqrt(1 + c * c), u = c * l;
			Jo(n.data, t, t, a, o, l, u);
			for (let e = 0; e < t; e++) {
				let r = i(a, e), s = i(o, e);
				n.data[a * t + e] = l * r - u * s, n.data[o * t + e] = u * r + l * s;
			}
			n.data[a * t + o] = n.data[o * t + a] = 0, Jo(r.data, t, t, a, o, l, u);
		}
		if (!e) break;
	}
	let a = Array.from({ length: t }, (e, t) => t).sort((e, t) => i(t, t) - i(e, e));
	return {
		values: Float64Array.from(a, (e) => i(e, e)),
		vectors: Qo(r, a)
	};
}
function Qo(e, t) {
	let n = $(e.rows, t.length);
	for (let r = 0; r < e.rows; r++) t.forEach((i, a) => n.data[r * t.length + a] = e.data[r * e.columns + i]);
	return n;
}
function $o(e) {
	if (e.rows < e.columns) {
		let { left: t, values: n, right: r } = $o(Vo(e));
		return {
			left: r,
			values: n,
			right: t
		};
	}
	let { rows: t, columns: n } = e, r = zo(e), i = Io(n);
	for (let e = 0; e < Yo; e++) {
		let e = !1;
		for (let a = 0; a < n - 1; a++) for (let o = a + 1; o < n; o++) {
			let [s, c, l] = [
				0,
				0,
				0
			];
			for (let e = 0; e < t; e++) {
				let t = r.data[e * n + a], i = r.data[e * n + o];
				s += t * t, c += i * i, l += t * i;
			}
			if (l === 0 || Math.abs(l) <= 2 * 2 ** -52 * Math.sqrt(s * c)) continue;
			e = !0;
			let u = Xo(c - s, l), d = 1 / Math.sqrt(1 + u * u);
			Jo(r.data, n, t, a, o, d, u * d), Jo(i.data, n, n, a, o, d, u * d);
		}
		if (!e) break;
	}
	let a = Array.from({ length: n }, (e, t) => Math.hypot(...Bo(r, t))), o = a.map((e, t) => t).sort((e, t) => a[t] - a[e]), s = Float64Array.from(o, (e) => a[e]), c = Qo(r, o), l = 2 ** -52 * Math.max(t, n) * (s[0] ?? 0), u = [];
	for (let e = 0; e < n; e++) {
		s[e] > l && u.push(e);
		for (let r = 0; r < t; r++) c.data[r * n + e] /= s[e] > l ? s[e] : Infinity;
	}
	return {
		left: es(c, u),
		values: s,
		right: Qo(i, o)
	};
}
function es(e, t) {
	let n = zo(e), r = [...t], i = 0;
	for (let a = 0; a < e.columns; a++) if (!t.includes(a)) {
		for (; i < e.rows; i++) {
			let t = new Float64Array(e.rows);
			t[i] = 1;
			for (let i = 0; i < 2; i++) for (let i of r) {
				let r = 0;
				for (let a = 0; a < e.rows; a++) r += t[a] * n.data[a * e.columns + i];
				for (let a = 0; a < e.rows; a++) t[a] -= r * n.data[a * e.columns + i];
			}
			let o = Math.hypot(...t);
			if (!(o < .5 / Math.sqrt(e.rows))) {
				for (let r = 0; r < e.rows; r++) n.data[r * e.columns + a] = t[r] / o;
				break;
			}
		}
		r.push(a);
	}
	return n;
}
function ts(e) {
	let t = $o(e), n = (e) => {
		let t = $(e.rows, e.rows);
		for (let n = 0; n < e.rows; n++) for (let r = 0; r < e.columns; r++) t.data[n * e.rows + r] = e.data[n * e.columns + r];
		return es(t, Array.from({ length: e.columns }, (e, t) => t));
	};
	return {
		left: n(t.left),
		values: t.values,
		right: n(t.right)
	};
}
function ns(e, t = $(e.rows, e.columns)) {
	let { rows: n, columns: r, data: i } = e, a = new Float64Array(r);
	for (let e = 0; e < r; e++) {
		let t = 0;
		for (let a = e; a < n; a++) t = Math.max(t, Math.abs(i[a * r + e]));
		if (t === 0) continue;
		let o = 0;
		for (let a = e; a < n; a++) o += (i[a * r + e] / t) ** 2;
		let s = t * Math.sqrt(o), c = i[e * r + e], l = c > 0 ? -s : s, u = c - l;
		for (let t = e + 1; t < n; t++) i[t * r + e] /= u;
		a[e] = -u / l, i[e * r + e] = l;
		for (let t = e + 1; t < r; t++) {
			let o = i[e * r + t];
			for (let a = e + 1; a < n; a++) o += i[a * r + e] * i[a * r + t];
			o *= a[e], i[e * r + t] -= o;
			for (let a = e + 1; a < n; a++) i[a * r + t] -= o * i[a * r + e];
		}
	}
	t.data.fill(0);
	for (let e = 0; e < r; e++) t.data[e * r + e] = 1;
	for (let e = r - 1; e >= 0; e--) for (let o = e; o < r; o++) {
		let s = t.data[e * r + o];
		for (let a = e + 1; a < n; a++) s += i[a * r + e] * t.data[a * r + o];
		s *= a[e], t.data[e * r + o] -= s;
		for (let a = e + 1; a < n; a++) t.data[a * r + o] -= s * i[a * r + e];
	}
	return t;
}
//#endregion
//#region src/theory/modes.ts
var rs = 64, is = 1e-9, as = 200;
function os(e, t, n, r) {
	let { s: i, d: a } = t;
	if (r === 1) return e.map((e) => n * Math.exp(-a * e) - i / a * Math.expm1(-a * e));
	if (r === 2) return e.map((e) => ss(e, t, n, 0)[0]);
	let o = i / a, s = n / o;
	if (r === Infinity) return ds(e, t, n);
	let c = r * i * o ** (1 - 2 / r);
	if (s === 0 || s === 1) return e.map(() => n);
	if (s < 1) {
		let t = gs(s, 2 / r - 1);
		return e.map((e) => e > 0 ? o * t(c * e) : n);
	}
	let l = gs(s, 2 - 2 / r);
	return e.map((e) => e > 0 ? o / l(c * e) : n);
}
function ss(e, { s: t, d: n }, r, i) {
	let a = r * i, o = Math.hypot(t, 2 * n * Math.sqrt(r) * Math.sqrt(i)), s = o > 0 ? Math.exp(-2 * o * e) : 1, c = o > 0 ? -Math.expm1(-2 * o * e) * n / o : n > 0 ? 2 * n * e : 0, l = o > 0 ? (t + o) / (2 * o) : .5, u = o > 0 ? 2 * n * n * a / (o * (o + t)) : .5, d = (e, t, n) => e > 0 ? (e * (t + n * s) + (a > 0 ? a * c : 0)) / (e * c + t * s + n) : 0;
	return [d(r, l, u), d(i, u, l)];
}
function cs(e, t, n, r) {
	let i = Math.hypot(r, 2 * n), a = n >= 0 ? (i + 2 * n) / 4 : r ** 2 / (4 * (i - 2 * n) || 1), o = n < 0 ? (i - 2 * n) / 4 : r ** 2 / (4 * (i + 2 * n) || 1);
	return e.map((e) => {
		let [n, r] = ss(e, t, a, o);
		return n - r;
	});
}
function ls(e, { s: t, d: n }, r, i) {
	let a = t / n;
	if (!(r <= e && e < a || r >= e && e > a) || !(r > 0 || i === 1)) return e === r ? 0 : Infinity;
	let [o, s] = [e / a, r / a];
	if (i === 1) return Math.log1p((o - s) / (1 - o)) / n;
	if (i === 2) return Math.log1p((o - s) / (s * (1 - o))) / (2 * t);
	let c = s > 1, l = hs(c ? 2 - 2 / i : 2 / i - 1), u = (e) => {
		let t = c ? Math.abs(1 - e) / e : Math.abs(1 - e);
		return l(c ? 1 / e : e, t, Math.log(t));
	};
	return (u(o) - u(s)) / ((i === Infinity ? 1 : i) * t * a ** (1 - 2 / i));
}
function us({ s: e, d: t }, n) {
	return 1 / (t * n * (e / t) ** (2 - 2 / n));
}
function ds(e, { s: t, d: n }, r) {
	let i = t / (n * r) - 1;
	if (r === 0 || i === 0 || !Number.isFinite(i)) return e.map(() => r);
	if (i < 0) {
		let i = gs(n * r / t, 2);
		return e.map((e) => e > 0 ? t / n / i(t * t / n * e) : r);
	}
	return e.map((e) => e > 0 ? t / n / (1 + fs(Math.log(i) + i - t * t / n * e)) : r);
}
function fs(e) {
	if (e === -Infinity) return 0;
	if (e < -50) return Math.exp(e);
	let t = e < 1 ? Math.exp(Math.min(e, 0)) / (1 + Math.exp(Math.min(e, 0))) + 1e-300 : e - Math.log(e);
	for (let n = 0; n < as; n++) {
		let n = (t + Math.log(t) - e) / (1 + t);
		if (t *= Math.exp(-n), Math.abs(n) < 1e-15 * (1 + 1 / t) || Math.abs(n) < 1e-16) break;
	}
	return t;
}
function ps(e) {
	let [t, n] = [0, e];
	for (; n < 10; n++) t -= 1 / n;
	let r = 1 / (n * n), i = r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r * (1 / 132 - r * 691 / 32760)))));
	return t + Math.log(n) - .5 / n - i;
}
function ms(e, t) {
	return Math.abs(e) > .25 ? t ** e / e : e ? Math.expm1(e * Math.log(t)) / e : Math.log(t);
}
function hs(e) {
	let t = new Float64Array(rs), n = new Float64Array(rs), r = -.5772156649015329;
	for (let i = 0; i < rs; i++) t[i] = r - ps(e + Math.max(i, 2)), n[i] = (e + i) / (i + 1), r += 1 / (i + 1);
	return (r, i, a) => {
		let o = 0;
		if (r < .5) {
			let t = r ** (e + 2);
			for (let n = 0; n < rs && t > 1e-18 * o; n++) o += t / (e + 2 + n), t *= r;
		} else {
			let s = 1;
			o = i;
			for (let e = 0; e < rs; e++) {
				let r = s * (t[e] - a);
				if (o += r, s *= n[e] * i, e > 2 && Math.abs(r) < 1e-18 * Math.abs(o)) break;
			}
			o *= r ** e;
		}
		return ms(e, r) + ms(e + 1, r) + o;
	};
}
function gs(e, t) {
	let n = hs(t), r = e > 1 ? (e - 1) / e : 1 - e, i = e > 1 ? 1 / e : e, a = Math.log(i) - Math.log(r), o = n(i, r, Math.log(r));
	return (e) => {
		if (e === Infinity) return 1;
		let s = e * i ** -t;
		if (!(s > 1e-9)) return i + i * r * s;
		let c = a + Math.min(e, s), l = a + Math.max(e, s), u = i ** t + t * e, d = u > 0 ? Math.log(u) / (t || 1) : 0;
		d = u > 0 && d < 0 ? d - Math.log1p(-Math.exp(Math.min(d, -1e-12))) : e + a;
		let f = Math.min(Math.max(Number.isFinite(d) ? d : a, c), l), p = i;
		for (let r = 0; r < as; r++) {
			let r = 1 / (1 + Math.exp(-f)), i = 1 / (1 + Math.exp(f)), a = n(r, i, f > 0 ? -f - Math.log1p(Math.exp(-f)) : -Math.log1p(Math.exp(f))) - (o + e), s = a * r ** -t;
			p = r - r * i * s, a <= 0 && (c = f), a >= 0 && (l = f);
			let u = f - s;
			if (!(Math.abs(s) > is + 4 * 2 ** -52 * Math.abs(f))) break;
			f = u >= c && u <= l ? u : .5 * (c + l);
		}
		return p;
	};
}
//#endregion
//#region src/theory/riccati.ts
var _s = 4 * 2 ** -52;
function vs({ first: e, second: t, cross: n, curvature: r, lambda: i }) {
	let { left: a, values: o, right: s } = ts(n), c = o[0] ?? 0, l = 2 ** -52 * Math.max(n.rows, n.columns) * c, u = o.map((e) => e > l ? e : 0);
	for (let e = 0; e < u.length;) {
		let t = e + 1;
		for (; t < u.length && u[t - 1] - u[t] <= 4 * u.length * 2 ** -52 * c;) t++;
		let n = u.slice(e, t).reduce((e, t) => e + t, 0) / (t - e);
		u.fill(n, e, t), e = t;
	}
	let d = r * Math.abs(i) / 2, [f, p] = [new Float64Array(u.length), new Float64Array(u.length)];
	u.forEach((e, t) => {
		let n = Math.hypot(e, d), r = n > 0 ? Math.hypot(n + d, e) : 1;
		f[t] = n > 0 ? (n + d) / r : 1, p[t] = e / r;
	});
	let m = Math.sqrt(r);
	return {
		left: a,
		right: s,
		s: u,
		large: f,
		small: p,
		qv: Go(Uo(s, Vo(e)), m),
		qu: Go(Uo(a, t), m)
	};
}
function ys(e) {
	return Math.sqrt(Ko(e, e));
}
function bs(e, t) {
	let { s: n, qv: r, qu: i } = e, a = n.length, o = r.columns, [s, c] = t >= 0 ? [e.small, e.large] : [e.large, e.small], l = i.rows > a ? i : r, u = i.rows > a ? t / 2 : -t / 2, d = a + a + l.rows - a, f = $(d, o), p = new Float64Array(d), m = new Float64Array(d), h = new Float64Array(d), [g, _] = [ys(r), ys(i)], v = _s * Math.sqrt(d), y = Math.abs(t) / 2;
	for (let e = 0; e < a; e++) {
		for (let t = 0; t < o; t++) {
			let [n, l] = [r.data[e * o + t], i.data[e * o + t]];
			f.data[e * o + t] = s[e] * n + c[e] * l, f.data[(a + e) * o + t] = c[e] * n - s[e] * l;
		}
		p[e] = v * (s[e] * g + c[e] * _), p[a + e] = v * (c[e] * g + s[e] * _), h[e] = Math.hypot(n[e], y), h[a + e] = -h[e], m[e] = m[a + e] = h[e] > 0 ? n[e] * (n[e] / (h[e] + y)) : 0;
	}
	for (let e = a; e < l.rows; e++) f.data.set(l.data.subarray(e * o, (e + 1) * o), (a + e) * o), p[a + e] = v * ys(l), h[a + e] = u;
	return {
		m: f,
		noise: p,
		grows: Array.from({ length: d }, (e, t) => t < a ? h[t] > 0 : t >= 2 * a && u > 0),
		excess: m,
		phi: h
	};
}
function xs({ m: e, noise: t, grows: n, excess: r, phi: i }) {
	let { rows: a, columns: o } = e, s = (e) => n[e] ? r[e] : i[e], c = Array.from({ length: a }, (e, t) => t);
	c.sort((e, t) => n[e] === n[t] ? s(t) - s(e) || e - t : n[e] ? -1 : 1);
	let l = [];
	c.forEach((e, t) => {
		let r = c[t - 1];
		r !== void 0 && s(r) === s(e) && n[r] === n[e] ? l[l.length - 1].push(e) : l.push([e]);
	});
	let u = new Int32Array(a), d = [], f = [], p = (t) => e.data.subarray(t * o, (t + 1) * o);
	l.forEach((e, n) => {
		for (let t of e) u[t] = n;
		let r = d.length, i = e.map((e) => ws(p(e), d)), a = e.map((e) => t[e] + Ts(p(e), d, f, p, t)), s = new Set(e.keys());
		for (let e of [...s]) Cs(i[e]) > a[e] || s.delete(e);
		for (; s.size && d.length < o;) {
			let t = [...s].reduce((e, t) => Cs(i[t]) > Cs(i[e]) ? t : e), n = Cs(i[t]);
			if (!(n > a[t])) break;
			let o = i[t].map((e) => e / n);
			d.push(o), f.push(e[t]), s.delete(t);
			for (let e of s) i[e] = ws(i[e], d.slice(r));
		}
	});
	let m = $(d.length, a);
	return d.forEach((e, t) => {
		for (let n = 0; n < a; n++) m.data[t * a + n] = u[n] < u[f[t]] ? 0 : Ss(e, p(n));
	}), {
		hat: m,
		leads: f
	};
}
function Ss(e, t) {
	let n = 0;
	for (let r = 0; r < e.length; r++) n += e[r] * t[r];
	return n;
}
function Cs(e) {
	return Math.sqrt(Ss(e, e));
}
function ws(e, t) {
	let n = Float64Array.from(e);
	for (let e = 0; e < 2; e++) {
		let e = t.map((e) => Ss(n, e));
		t.forEach((t, r) => {
			for (let i = 0; i < n.length; i++) n[i] -= e[r] * t[i];
		});
	}
	return n;
}
function Ts(e, t, n, r, i) {
	let a = new Float64Array(t.length), o = 0;
	for (let s = t.length - 1; s >= 0; s--) {
		let c = Ss(t[s], e);
		for (let e = s + 1; e < t.length; e++) c -= Ss(t[s], r(n[e])) * a[e];
		a[s] = c / Ss(t[s], r(n[s])), o += Math.abs(a[s]) * i[n[s]];
	}
	return o;
}
function Es({ grows: e, excess: t, phi: n }, { hat: r, leads: i }, a) {
	let o = n.length, s = i.length, c = o + s, [l, u, d, f] = [
		o,
		o,
		o,
		c
	].map((e) => new Float64Array(e)), p = new Float64Array(c * s), m = new Int32Array(c), h = $(c, s), g = $(c, s), _ = new Float64Array(o * s), v = n.map((e) => Math.abs(e));
	return (y) => {
		let b = a * y, x = Math.sqrt(y);
		for (let r = 0; r < o; r++) {
			let i = 2 * v[r] * y;
			l[r] = .5 * Math.log(i > 0 ? -Math.expm1(-i) / i : 1), u[r] = (e[r] ? t[r] * y : 0) + l[r], d[r] = n[r] < 0 ? Math.exp(-i / 2) : 1;
		}
		p.fill(0), f.fill(0);
		for (let t = 0; t < s; t++) {
			let n = i[t], a = 0;
			for (let i = 0; i < o; i++) {
				let c = r.data[t * o + i];
				if (c === 0) continue;
				let l = u[i] - u[n] - (!e[i] && e[n] ? b : 0), d = l < 0 ? c * Math.exp(l) : c;
				p[i * s + t] = d, a = Math.max(a, Math.abs(d));
			}
			let l = Math.exp(-u[n] - (e[n] ? b : 0)) / x;
			p[(c - 1 - t) * s + t] = l, a = Math.max(a, l);
			for (let e = 0; e < c; e++) {
				let n = p[e * s + t] / a;
				p[e * s + t] = n, Math.abs(n) > f[e] && (f[e] = Math.abs(n));
			}
		}
		for (let e = 0; e < c; e++) {
			let t = e;
			for (; t > 0 && f[m[t - 1]] < f[e]; t--) m[t] = m[t - 1];
			m[t] = e;
		}
		for (let e = 0; e < c; e++) for (let t = 0; t < s; t++) h.data[e * s + t] = p[m[e] * s + t];
		ns(h, g);
		for (let e = 0; e < c; e++) {
			let t = m[e];
			if (t >= o) continue;
			let n = d[t] * Math.exp(-l[t]) / x;
			for (let r = 0; r < s; r++) _[t * s + r] = n * g.data[e * s + r];
		}
		return _;
	};
}
//#endregion
//#region src/theory/balanced.ts
var Ds = 1e-150, Os = 1e290;
function ks(e, t, n) {
	let { left: r, values: i, right: a } = ts(e), o = $(t, e.columns), s = $(e.rows, t);
	for (let c = 0; c < t; c++) {
		let l = c < Math.min(e.rows, e.columns) ? i[c] : 0, u = Math.sqrt((Math.hypot(n, 2 * l) + Math.abs(n)) / 2), d = u > 0 ? l / u : 0, [f, p] = n > 0 ? [d, u] : [u, d];
		for (let t = 0; t < e.columns && c < e.columns; t++) o.data[c * e.columns + t] = f * a.data[t * e.columns + c];
		for (let n = 0; n < e.rows && c < e.rows; n++) s.data[n * t + c] = p * r.data[n * e.rows + c];
	}
	return {
		first: o,
		second: s
	};
}
function As(e, t, n, r) {
	return e.rows * Ko(t, r) + qo(t) * qo(n) + qo(r) * qo(e) + t.rows * Ko(e, n);
}
function js(e, t, n, r) {
	let i = Math.sqrt(As(e, t, e, t) * As(n, r, n, r));
	return i > 0 ? Math.max(1 - As(e, t, n, r) / i, 0) : 0;
}
function Ms(e) {
	let { cross: t, curvature: n, lambda: r } = e, i = n * r, a = vs(e), o = bs(a, i), s = xs(o), c = a.s.length, [l, u] = i >= 0 ? [a.small, a.large] : [a.large, a.small], d = Os / (2 * Math.max(1, ...o.phi.map(Math.abs))), f = Math.sqrt(n), p = s.leads.length, m = Es(o, s, Math.abs(i) / 2), h = $(t.columns, p), g = $(t.rows, p), _ = $(t.rows, t.columns), [v, y] = [$(t.columns, t.columns), $(t.rows, t.rows)], b = {
		r: Go(Wo(a.qv, a.qv), 1 / n),
		a: Go(Wo(a.qu, a.qu), 1 / n)
	}, x = As(b.r, b.a, b.r, b.a), S = (e) => {
		let n = m(Math.min(Math.max(e, Ds), d));
		for (let e = 0; e < p; e++) {
			for (let t = 0; t < c; t++) {
				let r = n[t * p + e], i = n[(c + t) * p + e];
				h.data[t * p + e] = (l[t] * r + u[t] * i) / f, g.data[t * p + e] = (u[t] * r - l[t] * i) / f;
			}
			for (let r = c; r < t.columns; r++) h.data[r * p + e] = n[(c + r) * p + e] / f;
			for (let r = c; r < t.rows; r++) g.data[r * p + e] = n[(c + r) * p + e] / f;
		}
	}, C = (e, t) => {
		let n = Ho(e, t);
		return Wo(n, n);
	};
	return (e) => {
		let r = [], i = [], o = Array.from({ length: c }, () => []);
		for (let s of e) {
			S(s), Wo(g, h, _);
			for (let e = 0; e < c; e++) {
				let r = e * t.columns + e;
				o[e].push(_.data[r]), _.data[r] -= a.s[e] / n;
			}
			r.push(.5 * n * Ko(_, _)), Wo(h, h, v), Wo(g, g, y);
			let e = Math.sqrt(x * As(v, y, v, y));
			i.push(e > 0 ? Math.max(1 - As(b.r, b.a, v, y) / e, 0) : 0);
		}
		let s = (t, n) => (S(e[t]), n());
		return {
			loss: r,
			kernelDistance: i,
			strengths: o,
			input: (e) => s(e, () => C(a.right, h)),
			output: (e) => s(e, () => C(a.left, g)),
			map: (e) => s(e, () => Wo(Ho(a.left, g), Ho(a.right, h)))
		};
	};
}
//#endregion
//#region src/topics/lazy_setting.ts
var Ns = [
	1,
	.5,
	.25
], Ps = [
	-1.6,
	.6,
	Math.sqrt(3 - 1.6 ** 2 - .6 ** 2)
], Fs = 400, Is = .1, Ls = [.01, 1e3], Rs = {
	square: {
		inputs: 3,
		outputs: 3,
		label: "square (3–3–3)"
	},
	funnel: {
		inputs: 6,
		outputs: 3,
		label: "funnel (6–3–3)"
	},
	fan: {
		inputs: 3,
		outputs: 6,
		label: "fan (3–3–6)"
	}
};
function zs(e) {
	let t = $(e, e);
	for (let n = 0; n < e; n++) for (let r = 0; r < e; r++) t.data[n * e + r] = Math.sqrt((r ? 2 : 1) / e) * Math.cos(Math.PI * (n + .5) * r / e);
	return t;
}
function Bs(e, t) {
	let [n, r] = [zs(t), zs(e)], i = $(t, e);
	return Ps.forEach((a, o) => {
		let [s, c] = [o, e - 1 - (o + 1) % 3];
		for (let o = 0; o < t; o++) for (let l = 0; l < e; l++) i.data[o * e + l] += a * n.data[o * t + s] * r.data[l * e + c];
	}), i;
}
function Vs(e) {
	let { inputs: t, outputs: n } = Rs[uo(e, "shape")] ?? Rs.square, [r, i] = [Q(e, "lambda"), Q(e, "scale")], a = $(n, t);
	Ns.forEach((e, n) => a.data[n * t + n] = e);
	let o = Bs(t, n), { first: s, second: c } = ks(Go(o, i), 3, r), [l, u] = [Ns[0], Ns[Ns.length - 1]], d = Math.log(.001 / Math.hypot(l, r / 2)), f = Math.log(1e3 * Math.hypot(u, r / 2) / u ** 2), p = [0, ...Array.from({ length: Fs }, (e, t) => Math.exp(d + (f - d) * t / 399))];
	return {
		problem: {
			first: s,
			second: c,
			cross: a,
			curvature: 1,
			lambda: r
		},
		lambda: r,
		scale: i,
		map: o,
		times: p
	};
}
function Hs({ lambda: e, times: t }, { loss: n, kernelDistance: r }) {
	let i = Math.max(...r), a = Math.abs(e) / (2 * Ns[0]), o = r.findIndex((e) => e >= i / 2), s = r.findIndex((e) => e >= i / 10), c = n[n.length - 1];
	return {
		name: i < .1 ? "lazy" : a <= 1 ? "rich" : "delayed rich",
		distance: i,
		imbalance: a,
		delay: t[o],
		lazyShare: n[0] > c ? (n[0] - n[s]) / (n[0] - c) : 0
	};
}
function Us(e, t, n, r) {
	let i = n[0] + r * (n[n.length - 1] - n[0]), a = n.findIndex((e) => e <= i);
	if (a <= 0) return 0;
	let [o, s] = [t[a - 1], t[a]], [c, l] = [n[a - 1] - i, n[a] - i];
	for (let t = 0; t < 40 && s - o > 1e-13 * s; t++) {
		let n = o + (s - o) * c / (c - l), r = 1e-9 * (s - o) + 1e-14 * s, a = t % 4 == 3 ? .5 * (o + s) : Math.min(Math.max(n + (t % 2 ? r : -r), o + r), s - r), u = e([a]).loss[0] - i;
		u <= 0 ? [s, l] = [a, u] : [o, c] = [a, u];
	}
	return .5 * (o + s);
}
var Ws = (e) => [
	"lambda",
	"scale",
	"shape"
].map((t) => e[t]).join(" "), Gs;
function Ks(e) {
	let t = Ws(e);
	if (Gs?.key !== t) {
		let n = Vs(e), r = Ms(n.problem), i = r(n.times), [a, o] = [.1, .9].map((e) => Us(r, n.times, i.loss, e));
		Gs = {
			key: t,
			solution: {
				setting: n,
				path: r,
				found: i,
				regime: Hs(n, i),
				wait: a / o
			}
		};
	}
	return Gs.solution;
}
//#endregion
//#region src/learn/linear.ts
function qs(e, t, n, r) {
	let i = $(e, t);
	for (let e = 0; e < i.data.length; e++) i.data[e] = n * r();
	return i;
}
function Js(e, t, n) {
	return ns(qs(e, t, 1, n));
}
function Ys(e, t, n, r, i, a) {
	let o = e.columns, s = [
		e,
		...Array.from({ length: r - 1 }, () => Js(n, o, a)),
		t
	], c = i ** (1 / r);
	return Array.from({ length: r }, (e, t) => {
		let n = Wo(s[t + 1], s[t]);
		return n.data.forEach((e, t) => n.data[t] = c * e), n;
	});
}
var Xs = class {
	cross;
	curvature;
	weights;
	below;
	above;
	miss;
	back;
	change;
	constructor(e, t, n) {
		this.cross = t, this.curvature = n, this.weights = e.map(zo), this.below = [Io(t.columns), ...e.map((e) => $(e.rows, t.columns))], this.above = [...e.map((e) => $(t.rows, e.columns)), Io(t.rows)], this.miss = $(t.rows, t.columns), this.back = e.map((e) => $(e.rows, t.columns)), this.change = e.map((e) => $(e.rows, e.columns)), this.refresh();
	}
	refresh() {
		let e = this.weights.length;
		this.below[1].data.set(this.weights[0].data);
		for (let t = 1; t < e; t++) Ho(this.weights[t], this.below[t], this.below[t + 1]);
		this.above[e - 1].data.set(this.weights[e - 1].data);
		for (let t = e - 2; t > 0; t--) Ho(this.above[t + 1], this.weights[t], this.above[t]);
		let t = this.map.data, { data: n } = this.miss;
		for (let e = 0; e < n.length; e++) n[e] = this.cross.data[e] - this.curvature * t[e];
	}
	get map() {
		return this.below[this.weights.length];
	}
	get loss() {
		return Ko(this.miss, this.miss) / (2 * this.curvature);
	}
	hidden(e) {
		return this.below[e];
	}
	step(e) {
		let t = this.weights.length;
		for (let n = 0; n < t; n++) {
			let r = n === t - 1 ? this.miss : Uo(this.above[n + 1], this.miss, this.back[n]), i = n === 0 ? r : Wo(r, this.below[n], this.change[n]), { data: a } = this.weights[n];
			for (let t = 0; t < a.length; t++) a[t] += e * i.data[t];
		}
		this.refresh();
	}
};
function Zs(e, t, n) {
	let r = Ho(e, n);
	return Array.from({ length: n.columns }, (e, n) => {
		let i = 0;
		for (let e = 0; e < t.rows; e++) i += t.data[e * t.columns + n] * r.data[e * r.columns + n];
		return i;
	});
}
//#endregion
//#region src/topics/lazy_train.ts
var Qs = 4e5, $s = 15e5;
function* ec(e) {
	let { problem: t } = Vs(e), { first: n, second: r, cross: i } = t, a = Ms(t), o = new Xs([n, r], i, 1), s = (e) => Math.sqrt(e.data.reduce((e, t) => e + t * t, 0)), c = .05 / Math.max(s(n) ** 2 + s(r) ** 2, 2 * Ns.length * Math.hypot(Ns[0], t.lambda / 2)), l = Math.min(Math.ceil(Ls[1] / c), Qs), u = {
		r: Uo(n, n),
		a: Wo(r, r)
	}, d = {
		times: [],
		loss: [],
		moved: [],
		strengths: Ns.map(() => []),
		expected: [],
		rate: c
	}, f = (e) => {
		let [t, n] = o.weights;
		d.times.push(e * c), d.loss.push(o.loss), d.expected.push(a([e * c]).loss[0]), d.moved.push(js(u.r, u.a, Uo(t, t), Wo(n, n))), Ns.forEach((e, t) => d.strengths[t].push(o.map.data[t * o.map.columns + t]));
	}, [p, m] = [0, 0];
	for (let e = 0; e <= l; e++) (e >= p || e === l) && (f(e), p = Math.max(e + 1, Math.round(e * 1.05))), e < l && o.step(c), m += 12 * i.data.length * 3, m > $s && (m = 0, yield { ...d });
	yield { ...d };
}
//#endregion
//#region src/topics/lazy.ts
var tc = (e) => Number(e.toPrecision(3)).toString().replace("-", "−");
function nc(e, t) {
	let { setting: n, path: r, found: i, regime: a, wait: o } = Ks(e), { problem: s, lambda: c, times: l } = n, u = l.map((e, t) => t).filter((e) => l[e] > Ls[0] / 1.1 && l[e] < Ls[1] * 1.1), d = (e) => u.map((t) => e[t]), f = {
		label: "flow time",
		values: d(l),
		log: !0,
		range: Ls
	}, p = Ls[0] * (Ls[1] / Ls[0]) ** Q(e, "moment"), m = [{
		axis: "x",
		at: p,
		label: "moment"
	}], h = [{
		label: "prediction",
		y: d(i.loss),
		width: 2.5
	}], g = [{
		label: "prediction",
		y: d(i.kernelDistance),
		width: 2.5
	}], _ = i.strengths.map((e, t) => ({
		label: `mode ${t + 1} (s = ${Ns[t]})`,
		y: d(e),
		colour: t,
		width: 2.5
	})), v = [
		{
			id: "kernel_distance",
			label: "farthest kernel distance",
			value: a.distance
		},
		{
			id: "imbalance",
			label: "imbalance |λ|/2s",
			value: a.imbalance
		},
		{
			id: "delay",
			label: "kernel half way at",
			value: a.delay,
			unit: "flow time"
		},
		{
			id: "lazy_share",
			label: "share learned before the kernel turned",
			value: a.lazyShare
		},
		{
			id: "wait",
			label: "wait: time to 10 % over time to 90 % learned",
			value: o
		}
	];
	if (t && t.times.length > 2) {
		let e = t.times.slice(1);
		h.push({
			label: "network",
			x: e,
			y: t.loss.slice(1),
			colour: 1,
			width: 1.2,
			dash: "dash"
		}), g.push({
			label: "network",
			x: e,
			y: t.moved.slice(1),
			colour: 1,
			width: 1.2,
			dash: "dash"
		}), t.strengths.forEach((t, n) => _.push({
			label: "network",
			x: e,
			y: t.slice(1),
			colour: 6,
			width: 1,
			dash: "dot",
			quiet: n > 0
		})), v.push({
			id: "area",
			label: "prediction against network (∫|ΔL|/∫L)",
			value: mo(t.times, t.expected, t.loss)
		});
	}
	let y = r([p]), b = Array.from({ length: s.cross.columns }, (e, t) => `${t + 1}`), x = Array.from({ length: s.cross.rows }, (e, t) => `${t + 1}`);
	return {
		sentence: ic(n, a, o),
		numbers: v,
		charts: [
			{
				kind: "lines",
				id: "loss",
				title: "Loss",
				x: f,
				y: { label: "loss" },
				lines: h,
				marks: m
			},
			{
				kind: "lines",
				id: "kernel",
				title: "Turn of the tangent kernel",
				x: f,
				y: {
					label: "kernel distance",
					range: [0, 1]
				},
				lines: g,
				marks: [...m, {
					axis: "y",
					at: Is,
					label: "lazy below"
				}]
			},
			{
				kind: "lines",
				id: "strengths",
				title: "Strength of each mode of the task",
				x: f,
				y: { label: "strength uᵀW₂W₁v" },
				lines: _,
				marks: m
			},
			rc(c, n.scale),
			{
				kind: "heat",
				id: "input",
				title: "Input representation W₁ᵀW₁",
				label: "similarity of inputs",
				matrix: Ro(y.input(0)),
				rows: b,
				columns: b
			},
			{
				kind: "heat",
				id: "output",
				title: "Output representation W₂W₂ᵀ",
				label: "similarity of outputs",
				matrix: Ro(y.output(0)),
				rows: x,
				columns: x
			}
		]
	};
}
function rc(e, t) {
	let n = {
		s: Ns[0],
		d: 1
	}, r = Math.min(t, .1), i = (e) => {
		let [t, i] = [0, 1e3];
		for (let a = 0; a < 80; a++) {
			let a = .5 * (t + i);
			cs([a], n, r, e)[0] >= .5 ? i = a : t = a;
		}
		return i;
	}, a = Array.from({ length: 121 }, (e, t) => t / 30), o = (e) => {
		let t = i(e);
		return cs(a.map((e) => e * t), n, r, e);
	};
	return {
		kind: "lines",
		id: "shape",
		title: `Sigmoid to exponential: one mode from ${tc(r)}`,
		x: {
			label: "time over the mode's half time",
			values: a,
			range: [0, 4]
		},
		y: {
			label: "strength over its end",
			range: [0, 1.02]
		},
		lines: [
			{
				label: "balanced",
				y: o(0),
				colour: 5,
				dash: "dot",
				width: 1.5
			},
			{
				label: "|λ| → ∞",
				y: a.map((e) => 1 - (1 - r) * (.5 / (1 - r)) ** e),
				colour: 4,
				dash: "dash",
				width: 1.5
			},
			{
				label: `here, λ = ${tc(e)}`,
				y: o(e),
				colour: 0,
				width: 2.5
			}
		]
	};
}
function ic({ lambda: e, scale: t }, { name: n, distance: r, delay: i, lazyShare: a }, o) {
	let s = e > 0 ? "the output layer is the stronger" : e < 0 ? "the input layer is the stronger" : "the layers are balanced", c = n === "lazy" ? `learning is lazy: the kernel turns by ${tc(r)} at most, and representations stay near where they started` : n === "rich" ? `learning is rich: the kernel turns by ${tc(r)}, half of it by t = ${tc(i)}, and representations take the task's form` : `learning is delayed rich: ${tc(100 * a)} % of the loss goes while the kernel hardly moves, then it turns by ${tc(r)}, half of it by t = ${tc(i)}`, l = o > .15 ? "in sigmoids, after a wait" : o > .03 ? "almost exponentially" : "fast at first, with a long tail";
	return `At λ = ${tc(e)} and scale ${tc(t)} ${s} and ${c}; the loss falls ${l}.`;
}
var ac = {
	id: "rich_and_lazy",
	title: "Rich and lazy",
	question: "Does a network learn features, or does it only combine those it starts with?",
	paper: {
		text: "Dominé et al. 2025, From lazy to rich: exact learning dynamics in deep linear networks",
		href: "https://arxiv.org/abs/2409.14623"
	},
	theory: {
		text: "Two layers keep the difference W₂ᵀW₂ − W₁W₁ᵀ while they learn. Where it is λ·1 and inputs are white, learning is solved exactly from any such start. Small λ and small weights are rich: the tangent kernel turns and representations take the task's form, in a sigmoid. Large |λ| is lazy in a square network, with an exponential; in a funnel (more inputs than outputs) only λ > 0 is lazy, while λ < 0 first learns lazily and turns its kernel later, after a time of order |λ|/s²; in a fan it is the other way round.",
		equations: [
			"W₂ᵀW₂ − W₁W₁ᵀ = λ·1,  Q = [W₁ᵀ; W₂]",
			"d(QQᵀ)/dt = F QQᵀ + QQᵀ F − (QQᵀ)²,  F = [−λ/2, Σyxᵀ; Σyx, λ/2]",
			"one aligned mode:  da/dt = √(λ² + 4a²) (s − a)",
			"kernel  K = 1 ⊗ X W₁ᵀW₁ Xᵀ + W₂W₂ᵀ ⊗ X Xᵀ,  distance  1 − ⟨K₀,K⟩/(‖K₀‖‖K‖)"
		]
	},
	controls: [
		{
			kind: "slider",
			id: "lambda",
			label: "Imbalance λ",
			min: -10,
			max: 10,
			step: .25,
			value: 0,
			help: "W₂ᵀW₂ − W₁W₁ᵀ = λ·1; above 0 the output layer is the stronger."
		},
		{
			kind: "slider",
			id: "scale",
			label: "Scale of the start",
			min: .001,
			max: 3,
			step: .05,
			value: .01,
			log: !0,
			help: "Root-mean-square singular value of the map W₂W₁ at time 0; the task's is about 0.78."
		},
		{
			kind: "choice",
			id: "shape",
			label: "Shape",
			value: "square",
			options: Object.entries(Rs).map(([e, { label: t }]) => ({
				value: e,
				label: t
			})),
			help: "Inputs, hidden units, outputs."
		},
		{
			kind: "slider",
			id: "moment",
			label: "Moment",
			min: 0,
			max: 1,
			step: .01,
			value: 1,
			format: (e) => `t = ${tc(Ls[0] * (Ls[1] / Ls[0]) ** e)}`,
			help: "The time at which representations are shown."
		}
	],
	view: nc,
	live: {
		label: "Train the network",
		key: Ws,
		run: ec
	},
	python: (e) => {
		let { problem: t, lambda: n, scale: r, map: i, times: a } = Vs(e), o = (e) => JSON.stringify(Ro(e));
		return [
			"import numpy as np",
			"import scipy",
			"",
			"import festina as fs",
			"",
			`x = ${t.cross.columns} ** 0.5 * np.eye(${t.cross.columns})`,
			`task = fs.Task(x, x @ np.array(${o(Vo(t.cross))}))`,
			`initial = fs.initial.Balanced(${r}, lambda_=${n}, map=${o(i)})`,
			"network = fs.DeepLinear(hidden=(3,), initial=initial)",
			"regime = fs.regime(network, task)",
			"loss = lambda t: float(fs.evolve(network, task, np.array([t])).loss[0])",
			`begin, end, latest = loss(0.0), loss(${a[a.length - 1]}), ${a[a.length - 1]}`,
			"lose = lambda share: scipy.optimize.brentq(lambda t: loss(t) - begin - share * (end - begin), 0.0, latest, xtol=1e-14)",
			"numbers = {",
			"    \"kernel_distance\": regime.kernel_distance,",
			"    \"imbalance\": abs(initial.lambda_) / 2,",
			"    \"delay\": regime.delay,",
			"    \"lazy_share\": regime.lazy_share,",
			"    \"wait\": lose(0.1) / lose(0.9),",
			"}"
		].join("\n");
	}
}, oc = 1e-12, sc = 1e-9;
function cc(e, t) {
	return Array.from({ length: e }, (e, n) => t(n));
}
function lc(e) {
	let t = 2 ** e;
	return cc(t, String).map((n, r) => {
		let i = [];
		for (let n = 0; n <= e; n++) for (let e = 0; e < 2 ** n; e++) i.push(+(Math.floor(r * 2 ** n / t) === e));
		return i;
	});
}
function uc(e) {
	return cc(e, String).map((t, n) => cc(e, String).map((e, t) => +(t <= n)));
}
function dc(e, t) {
	return cc(e * t, String).map((n, r) => cc(e, String).map((e, n) => +(Math.floor(r / t) === n)));
}
function fc(e) {
	let t = e.reduce((e, t) => e * t, 1);
	return cc(t, String).map((n, r) => {
		let [i, a, o] = [
			[],
			r,
			t
		];
		for (let t of e) {
			o /= t;
			let e = Math.floor(a / o);
			a -= e * o, i = i.concat(cc(t, String).map((t, n) => +(n === e)));
		}
		return i;
	});
}
function pc(e, t, n) {
	let r = $(t.rows, t.columns);
	for (let i = 0; i < t.rows; i++) for (let a = 0; a < t.columns; a++) r.data[i * t.columns + a] = t.data[i * t.columns + a] * Math.sqrt(n * Math.max(e[a], 0));
	return Ho(r, Vo(t));
}
function mc(e, t, n, r) {
	let i = e ** t, a = $(i, i);
	for (let r = 0; r < i; r++) for (let o = 0; o < i; o++) {
		let s = t;
		for (let [t, n] = [r, o]; t !== n; [t, n] = [Math.floor(t / e), Math.floor(n / e)]) s--;
		a.data[r * i + o] = (1 - 2 * n) ** (2 * (t - s));
	}
	let { values: o, vectors: s } = Zo(a);
	return pc(o, s, r);
}
function hc(e, t, n, r) {
	let i = $(e, e);
	for (let t = 0; t < e; t++) i.data[t * e + t] = 1 / r ** 2;
	for (let [n, r] of t) i.data[n * e + n] += 1, i.data[r * e + r] += 1, --i.data[n * e + r], --i.data[r * e + n];
	let { values: a, vectors: o } = Zo(i);
	return pc(a.map((e) => 1 / e), o, n);
}
function gc(e, t, n) {
	return hc(e, cc(e, String).map((t, n) => [n, (n + 1) % e]), t, n);
}
function _c(e, t, n, r) {
	let i = [];
	for (let n = 0; n < e * t; n++) (n + 1) % t && i.push([n, n + 1]), n + t < e * t && i.push([n, n + t]);
	return hc(e * t, i, n, r);
}
function vc(e) {
	let { y: t } = e, n = t.rows, r = $o(t), i = r.values[0] ?? 0, a = r.values.filter((e) => e > oc * i).length, o = r.values.slice(0, a), s = [];
	for (let e = 0; e < a; e++) e > 0 && o[e - 1] - o[e] <= sc * i ? s[s.length - 1].push(e) : s.push([e]);
	let c = $(n, a);
	for (let e of s) {
		let i = e.reduce((e, t) => e + o[t], 0) / e.length, s = e.length > 1 ? xc(t, r.left, e, i) : e.map((e) => bc(yc(r.left, e)));
		e.forEach((e, t) => {
			o[e] = i;
			for (let r = 0; r < n; r++) c.data[r * a + e] = s[t][r];
		});
	}
	let l = Ho(Vo(t), c);
	for (let e = 0; e < l.rows; e++) for (let t = 0; t < a; t++) l.data[e * a + t] /= o[t];
	return {
		s: o.map((e) => e / n),
		d: 1 / n,
		targets: o,
		left: l,
		right: c,
		groups: s
	};
}
function yc(e, t) {
	return Array.from({ length: e.rows }, (n, r) => e.data[r * e.columns + t]);
}
function bc(e) {
	return e.reduce((e, t) => Math.abs(t) > Math.abs(e) + 1e-9 ? t : e, 0) < 0 ? e.map((e) => -e) : e;
}
function xc(e, t, n, r) {
	let i = n.map((e) => yc(t, e)), a = (e, t) => e.reduce((e, n, r) => e + n * t[r], 0), o = (e, t, n) => e.map((e, r) => e - n * t[r]), s = [], c = [...Array.from({ length: e.columns }, (t, n) => yc(e, n)), ...i.map((e) => e.map((e) => r * e))];
	for (let t of c) {
		let c = Array(e.rows).fill(0);
		for (let e of i) c = o(c, e, -a(t, e));
		for (let e = 0; e < 2; e++) for (let e of s) c = o(c, e, a(c, e));
		let l = Math.sqrt(a(c, c));
		if (!(l < .05 * r) && (s.push(bc(c.map((e) => e / l))), s.length === n.length)) break;
	}
	return s;
}
var Sc = [
	"canary",
	"robin",
	"salmon",
	"sunfish",
	"oak",
	"pine",
	"rose",
	"daisy"
], Cc = [
	"grow",
	"move",
	"roots",
	"fly",
	"swim",
	"bark",
	"petals",
	"sing",
	"red breast",
	"pink flesh",
	"round body",
	"acorns",
	"needles",
	"thorns",
	"white rays"
], wc = (e) => cc(e, (e) => `item ${e + 1}`), Tc = [
	{
		id: "hierarchy",
		label: "Hierarchy",
		items: Sc,
		properties: Cc,
		y: Lo(lc(3)),
		python: "fs.tasks.items(8).statistics.strengths"
	},
	{
		id: "partition",
		label: "Partition",
		items: cc(9, (e) => `${"abc"[Math.floor(e / 3)]}${e % 3 + 1}`),
		properties: [
			"group a",
			"group b",
			"group c"
		],
		y: Lo(dc(3, 3)),
		python: "fs.tasks.partition(3, 3).statistics.strengths"
	},
	{
		id: "ring",
		label: "Ring",
		items: wc(8),
		properties: cc(8, (e) => `feature ${e + 1}`),
		y: gc(8, 8, 2),
		python: "fs.tasks.ring_strengths(8, features=8, sigma=2.0)"
	},
	{
		id: "ordering",
		label: "Ordering",
		items: wc(8),
		properties: cc(8, (e) => `at least ${e + 1}`),
		y: Lo(uc(8)),
		python: "fs.tasks.ordering(8).statistics.strengths"
	},
	{
		id: "crossing",
		label: "Cross-cutting dimensions",
		items: cc(8, (e) => `${e & 4 ? "large" : "small"} ${e & 2 ? "red" : "blue"} ${e & 1 ? "disc" : "cube"}`),
		properties: [
			"small",
			"large",
			"blue",
			"red",
			"cube",
			"disc"
		],
		y: Lo(fc([
			2,
			2,
			2
		])),
		python: "fs.tasks.dimensions((2, 2, 2)).statistics.strengths"
	},
	{
		id: "grid",
		label: "Grid",
		items: cc(9, (e) => `${"abc"[Math.floor(e / 3)]}${e % 3 + 1}`),
		properties: cc(9, (e) => `feature ${e + 1}`),
		y: _c(3, 3, 9, 2),
		python: "fs.tasks.grid_strengths(3, 3, features=9, sigma=2.0)"
	},
	{
		id: "tree",
		label: "Random tree",
		items: cc(8, (e) => `${(e >> 2) + 1}.${(e >> 1 & 1) + 1}.${(e & 1) + 1}`),
		properties: cc(8, (e) => `feature ${e + 1}`),
		y: mc(2, 3, .1, 8),
		python: "fs.tasks.tree_strengths(2, 3, flip=0.1, features=8)"
	}
], Ec = 300, Dc = [
	0,
	.15,
	.45
];
function Oc(e) {
	let { rows: t, columns: n } = e, r = $(t, n);
	for (let i = 0; i < n; i++) {
		let a = 0;
		for (let r = 0; r < t; r++) a += e.data[r * n + i] / t;
		for (let o = 0; o < t; o++) r.data[o * n + i] = e.data[o * n + i] - a;
	}
	let { values: i, vectors: a } = Zo(Wo(r, r)), o = $(t, t);
	for (let e = 0; e < t; e++) for (let n = 0; n < t; n++) o.data[e * t + n] = a.data[e * t + n] * Math.sqrt(Math.max(i[n], 0));
	return o;
}
function kc(e) {
	let { rows: t, columns: n } = e, r = new Float64Array(t * t);
	for (let i = 0; i < t; i++) for (let a = 0; a < i; a++) {
		let o = 0;
		for (let t = 0; t < n; t++) o += (e.data[i * n + t] - e.data[a * n + t]) ** 2;
		r[i * t + a] = r[a * t + i] = Math.sqrt(o);
	}
	return r;
}
function Ac(e) {
	let t = kc(e), n = t.reduce((e, t) => e + t * t, 0), r = Oc(e);
	return Dc.map((i) => {
		let a = $(e.rows, 2);
		for (let t = 0; t < e.rows; t++) for (let e = 0; e < r.columns; e++) a.data[2 * t + e % 2] += r.data[t * r.columns + e] * (e < 2 ? 1 : i * (e % 4 < 2 ? 1 : -1));
		for (let e = 0; e < Ec; e++) a = jc(a, t);
		let o = kc(a), s = n > 0 ? Math.sqrt(t.reduce((e, t, n) => e + (t - o[n]) ** 2, 0) / n) : 0;
		return {
			points: a,
			stress: s
		};
	}).reduce((e, t) => t.stress < e.stress - 1e-6 ? t : e);
}
function jc(e, t) {
	let n = e.rows, r = kc(e), i = $(n, 2);
	for (let a = 0; a < n; a++) for (let o = 0; o < n; o++) {
		let s = r[a * n + o];
		if (a === o || s === 0) continue;
		let c = t[a * n + o] / s / n;
		i.data[2 * a] += c * (e.data[2 * a] - e.data[2 * o]), i.data[2 * a + 1] += c * (e.data[2 * a + 1] - e.data[2 * o + 1]);
	}
	return i;
}
function Mc(e, t) {
	let { left: n, right: r } = $o(Uo(e, t));
	return Wo(n, r);
}
function Nc(e, t) {
	return Ho(e, Mc(e, t));
}
var Pc = /* @__PURE__ */ new Map();
function Fc(e) {
	let t = Pc.get(e);
	if (!t) {
		let n = Tc.find((t) => t.id === e) ?? Tc[0];
		t = {
			structure: n,
			...vc(n)
		}, Pc.set(e, t);
	}
	return t;
}
function Ic(e, t) {
	return {
		s: e.s[t],
		d: e.d
	};
}
function Lc(e) {
	let t = Fc(uo(e, "structure")), n = uo(e, "depth"), r = n === "inf" ? Infinity : Number(n), i = Q(e, "start"), a = t.groups.map(([e]) => ls(.98 * t.targets[e], Ic(t, e), i, r)), o = 1.08 * Math.max(...a);
	return {
		task: t,
		depth: r,
		start: i,
		end: o,
		times: Array.from({ length: 201 }, (e, t) => o * t / 200)
	};
}
function Rc({ task: e, depth: t, start: n }, r) {
	return e.groups.map(([i]) => os(r, Ic(e, i), n, t));
}
function zc(e, t, n) {
	return e.groups.reduce((r, i, a) => r + .5 * e.d * i.length * (t[a][n] - e.targets[i[0]]) ** 2, 0);
}
function Bc(e) {
	return e === 1 || e === Infinity ? 1 : 1 / e;
}
var Vc = /* @__PURE__ */ new Map();
function Hc({ task: e, depth: t }) {
	let n = `${e.structure.id} ${t}`, r = Vc.get(n);
	return r || (r = Uo(e.right, Ac(Wc(e, t)).points), Vc.set(n, r)), r;
}
function Uc(e, t, n) {
	let r = $(e.right.rows, e.right.columns);
	return e.groups.forEach((i, a) => {
		let o = Math.max(n[a], 0) ** Bc(t);
		for (let t of i) for (let n = 0; n < r.rows; n++) r.data[n * r.columns + t] = o * e.right.data[n * r.columns + t];
	}), r;
}
function Wc(e, t) {
	return Uc(e, t, e.groups.map(([t]) => e.targets[t]));
}
function Gc(e, t) {
	let n = Hc(e), { task: r, depth: i } = e, a = $(n.rows, 2);
	return r.groups.forEach((e) => {
		let t = r.targets[e[0]] ** -Bc(i);
		for (let r of e) for (let e = 0; e < 2; e++) a.data[2 * r + e] = t * n.data[2 * r + e];
	}), Ro(Ho(t, a));
}
//#endregion
//#region src/topics/modes_train.ts
var Kc = 4e4, qc = 6e6;
function* Jc(e) {
	let t = Lc(e), { task: n, depth: r, start: i, end: a } = t;
	if (r === Infinity) return;
	let [o, s, c] = [
		n.right.rows,
		n.left.rows,
		n.right.columns + 2
	], l = Wa(7), u = Yc(n, r, c, i, uo(e, "weights") === "random", l), d = new Xs(u, Go(Vo(n.structure.y), 1 / o), n.d), f = us(Ic(n, 0), r), p = Math.min(Math.max(.1 * f, a / Kc), .5 * f, a / 600), m = Math.ceil(a / p), h = {
		times: [],
		loss: [],
		strengths: Array.from({ length: n.s.length }, () => []),
		places: [],
		expected: [],
		rate: p
	}, g = (e) => {
		h.times.push(e * p), h.loss.push(d.loss), Zs(d.map, n.left, n.right).forEach((e, t) => h.strengths[t].push(e));
		let i = Rc(t, [e * p]), a = i.map(([e]) => e);
		h.expected.push(zc(n, i, 0));
		let o = Bc(r) === 1 ? d.map : d.hidden(1);
		h.places.push(Gc(t, Nc(Vo(o), Uc(n, r, a))));
	}, _ = u.reduce((e, t) => e + t.rows * t.columns * (o + s) * 2, 0) + s * o * c * r * 2, v = 0, y = 0;
	for (let e = 0; e <= m; e++) (e >= y || e === m) && (g(e), y = Math.max(e + 1, Math.round(h.times.length * m / 159))), e < m && d.step(p), v += _, v > qc && (v = 0, yield { ...h });
	yield { ...h };
}
function Yc(e, t, n, r, i, a) {
	let [o, s, c] = [
		e.right.rows,
		e.left.rows,
		e.right.columns
	];
	if (!i) return Ys(e.right, e.left, n, t, r, a);
	if (t === 1) return [qs(s, o, r, a)];
	let l = Math.sqrt(2 * r / n);
	return t === 2 ? [qs(n, o, l, a), qs(s, n, l, a)] : Ys(Js(o, c, a), Js(s, c, a), n, t, r, a);
}
//#endregion
//#region src/topics/modes.ts
var Xc = (e) => Number(e.toPrecision(3)).toString();
function Zc(e) {
	let t = e.split(" ");
	return t.length > 2 ? t.map(([e]) => e).join("") : e;
}
function Qc(e, t) {
	let [n, r] = [e[0] + 1, e[e.length - 1] + 1];
	return `${n === r ? `mode ${n}` : `modes ${n}–${r}`} (s = ${Xc(t)})`;
}
function $c(e, t) {
	let n = Lc(e), { task: r, depth: i, start: a, end: o, times: s } = n, c = Rc(n, s), l = s.map((e, t) => zc(r, c, t)), u = Math.round(Q(e, "moment") * 200), d = i === Infinity ? "depth × flow time" : "flow time", f = {
		label: d,
		values: s,
		range: [0, o]
	}, p = u > 0 && u < 200 ? [{
		axis: "x",
		at: s[u],
		label: "moment"
	}] : [], m = r.groups.map(([e]) => ls(.5 * r.targets[e], Ic(r, e), a, i)), h = Ic(r, 0), g = [.1, .9].map((e) => ls(e * r.targets[0], h, a, i)), _ = r.groups.map((e, t) => ({
		label: Qc(e, r.s[e[0]]),
		y: c[t],
		colour: t % 6,
		width: 2.5,
		...t >= 6 ? { dash: "dash" } : {}
	})), v = [
		{
			id: "first",
			label: "strongest mode half learned",
			value: m[0],
			unit: d
		},
		{
			id: "last",
			label: "weakest mode half learned",
			value: m[m.length - 1],
			unit: d
		},
		{
			id: "rise",
			label: "its rise (10 to 90 %) over its half time",
			value: (g[1] - g[0]) / m[0]
		},
		{
			id: "loss",
			label: "loss at the moment",
			value: l[u]
		}
	], y = [{
		label: "prediction",
		y: l,
		width: 2.5
	}], b;
	if (t && t.times.length > 1) {
		t.strengths.forEach((e, n) => _.push({
			label: "network",
			x: t.times,
			y: e,
			colour: 6,
			width: 1,
			dash: "dot",
			quiet: n > 0
		})), y.push({
			label: "network",
			x: t.times,
			y: t.loss,
			colour: 1,
			width: 1.2,
			dash: "dash"
		}), v.push({
			id: "area",
			label: "prediction against network (∫|ΔL|/∫L)",
			value: mo(t.times, t.expected, t.loss)
		});
		let e = t.times.findIndex((e) => e >= s[u] - 1e-9 * o);
		e >= 0 && (b = t.places[e]);
	}
	let x = Array.from({ length: 40 }, (e, t) => Math.round(u * t / 39)).map((e) => Gc(n, Uc(r, i, c.map((t) => t[e])))), S = r.structure.items.map((e, t) => ({
		label: Zc(e),
		x: x[39][t][0],
		y: x[39][t][1],
		colour: t % 6,
		trail: x.map((e) => e[t])
	})), C = Math.max(...Gc(n, Wc(r, i)).flat().map(Math.abs)), w = [-1.25 * C, 1.25 * C], T = Ho(r.left, Vo(el(r, c, u))), E = Math.max(...r.structure.y.data), D = r.structure.properties.length > 10;
	return {
		sentence: tl(n, m, (g[1] - g[0]) / m[0]),
		numbers: v,
		charts: [
			{
				kind: "lines",
				id: "strengths",
				title: "Strength of each mode",
				x: f,
				y: { label: "strength a" },
				lines: _,
				marks: p
			},
			{
				kind: "lines",
				id: "loss",
				title: "Loss",
				x: f,
				y: { label: "loss" },
				lines: y,
				marks: p
			},
			{
				kind: "scatter",
				id: "representation",
				equal: !0,
				title: `${Bc(i) === 1 ? "Answers to the items" : "Items in the first hidden layer"}${b ? " (rings: the network)" : ""}`,
				x: {
					label: "dimension 1 (same unit as dimension 2)",
					range: w
				},
				y: {
					label: "dimension 2",
					range: w
				},
				points: [...(b ?? []).map(([e, t]) => ({
					label: "",
					x: e,
					y: t,
					colour: 6,
					ring: !0
				})), ...S]
			},
			{
				kind: "heat",
				id: "vectors",
				title: "Which items a mode tells apart (v)",
				label: "entry of v",
				matrix: Ro(Vo(r.right)),
				rows: r.groups.flatMap((e) => e.map((e) => `mode ${e + 1}`)),
				columns: r.structure.items
			},
			{
				kind: "heat",
				id: "answers",
				title: "What the network answers at the moment",
				label: "predicted property",
				matrix: Ro(Vo(T)),
				rows: r.structure.items,
				columns: r.structure.properties,
				bound: E,
				wide: D
			},
			...D ? [] : [{
				kind: "heat",
				id: "targets",
				title: "What it is to answer",
				label: "property",
				matrix: Ro(r.structure.y),
				rows: r.structure.items,
				columns: r.structure.properties,
				bound: E
			}]
		]
	};
}
function el(e, t, n) {
	let r = $(e.right.rows, e.right.columns);
	return e.groups.forEach((i, a) => {
		for (let o of i) for (let i = 0; i < r.rows; i++) r.data[i * r.columns + o] = t[a][n] * e.right.data[i * r.columns + o];
	}), r;
}
function tl({ task: e, depth: t, start: n }, r, i) {
	let [a, o] = [r[0], r[r.length - 1]];
	if (t === 1) return `One layer learns all modes at once: each closes its gap at the same rate d = ${Xc(e.d)}, however strong it is, and is half learned at t ≈ ${Xc(a)}; there are no stages.`;
	let s = t === Infinity ? "Infinitely many layers" : `${t} layers`, c = i < .5 ? "suddenly, after a long wait" : i < 1.2 ? "in a sigmoid" : "gradually, because it starts large";
	return e.groups.length === 1 ? `${s} learn all modes together from strength ${Xc(n)}, because they are equally strong: each is half learned at ${Xc(a)} and rises ${c}.` : `${s} learn one mode after another from strength ${Xc(n)}: the strongest is half learned at ${Xc(a)}, the weakest at ${Xc(o)}, ${Xc(o / a)} times later; each rises ${c}.`;
}
var nl = {
	id: "modes",
	title: "Modes",
	question: "In which order does a deep linear network learn what there is to learn?",
	paper: {
		text: "Saxe, McClelland & Ganguli 2014, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks",
		href: "https://arxiv.org/abs/1312.6120"
	},
	theory: {
		text: "The correlation of items with properties is a sum of modes, Σyx = U S Vᵀ. From small weights that are equally strong in every layer each mode grows by itself, and the strong ones first: broad distinctions before fine ones. One layer has no such stages; more layers wait longer and then rise more suddenly. The map shows where items are once all is learned, with distances kept as well as a plane can; each mode moves them along a straight line of it. The structures are those of Saxe, McClelland & Ganguli 2019.",
		equations: [
			"du/dt = D u^(2−2/D) (s − d u)",
			"D = 1:  u(t) = (s/d)(1 − e^(−dt)) + u₀ e^(−dt)",
			"D = 2:  u(t) = (s/d) / (1 − (1 − s/(d u₀)) e^(−2st))",
			"D → ∞, T = D t:  u(T) = (s/d) / (1 + W₀[z₀ e^(z₀ − s²T/d)]),  z₀ = s/(d u₀) − 1",
			"L(t) = ½ Σ d (u − s/d)²"
		]
	},
	controls: [
		{
			kind: "choice",
			id: "structure",
			label: "Structure",
			value: "hierarchy",
			options: Tc.map(({ id: e, label: t }) => ({
				value: e,
				label: t
			})),
			help: "What the items have in common."
		},
		{
			kind: "choice",
			id: "depth",
			label: "Layers",
			value: "2",
			help: "Number of weight layers D.",
			options: [...[
				"1",
				"2",
				"3",
				"4",
				"6"
			].map((e) => ({
				value: e,
				label: e
			})), {
				value: "inf",
				label: "∞"
			}]
		},
		{
			kind: "slider",
			id: "start",
			label: "Initial strength u₀",
			min: 1e-5,
			max: .2,
			step: .05,
			value: .001,
			log: !0,
			help: "Strength of every mode at time 0: the product over all layers."
		},
		{
			kind: "slider",
			id: "moment",
			label: "Moment",
			min: 0,
			max: 1,
			step: .01,
			value: 1,
			format: (e) => `${Math.round(100 * e)} %`,
			help: "The time, as a share of the time axis, at which representations and answers are shown."
		},
		{
			kind: "choice",
			id: "weights",
			label: "Trained network starts",
			value: "aligned",
			help: "The prediction assumes a start on the modes; from random weights of the same size deep networks come later.",
			options: [{
				value: "aligned",
				label: "on the modes"
			}, {
				value: "random",
				label: "at random"
			}]
		}
	],
	view: $c,
	live: {
		label: "Train a linear network",
		key: (e) => [
			"structure",
			"depth",
			"start",
			"weights"
		].map((t) => e[t]).join(" "),
		run: Jc
	},
	python: (e) => {
		let { task: t, depth: n, start: r, times: i } = Lc(e), a = Math.round(Q(e, "moment") * 200);
		return [
			"import math",
			"",
			"import festina as fs",
			"",
			`s = ${t.structure.python}`,
			`d, depth, start = 1 / ${t.structure.items.length}, ${n === Infinity ? "math.inf" : n}, ${r}`,
			"reach = lambda share, s: fs.linear.time_to_strength(share * s / d, s, d, start, depth)",
			"half = reach(0.5, s)",
			`now = fs.linear.strength(${i[a]}, s, d, start, depth)`,
			"numbers = {",
			"    \"first\": float(half[0]),",
			"    \"last\": float(half[-1]),",
			"    \"rise\": float((reach(0.9, s[0]) - reach(0.1, s[0])) / half[0]),",
			"    \"loss\": float(0.5 * d * sum((now - s / d) ** 2)),",
			"}"
		].join("\n");
	}
};
//#endregion
//#region src/theory/points.ts
function rl({ rateH: e, rateY: t, dx: n, y: r, h: i }) {
	return i - e / t * n * r / i;
}
function il({ rateH: e, rateY: t, dx: n, dy: r }) {
	return Math.sqrt(e / t * n * r);
}
function al(e, t) {
	let n = .5 * Math.abs(e) + .5 * Math.hypot(e, 2 * t);
	return e >= 0 ? n : t / (n > 0 ? n : 1) * t;
}
function ol(e) {
	let [t, n] = [rl(e), il(e)], r = Math.hypot(t, 2 * n), i = al(t, n), a = al(-t, n);
	return [{
		h: 0,
		eigenvalues: [e.rateY * i, -e.rateY * a]
	}, {
		h: i,
		eigenvalues: [-e.rateY * r / 2, -e.rateY * i]
	}];
}
function sl(e, t) {
	return e === 0 ? t : Math.expm1(e * t) / e;
}
function cl(e, t) {
	let { dx: n, dy: r, rateH: i, rateY: a, h: o, y: s, w: c } = e, l = Math.sqrt(n * i * a) / 2, u = Math.sqrt(2 * o / (n * i)), d = Math.sqrt(2 * s / (o * a)), f = s * r > 0 ? Math.min(1, Math.max(-1, (s - c) / Math.sqrt(s * r))) : 0, p = d * f, m = d * Math.sqrt((1 - f) * (1 + f)), h = -a * rl(e) / 4, g = l * Math.sqrt(r), _ = Math.hypot(h, g), [v, y] = h >= 0 ? [g, _ + h] : [_ - h, g], b = Math.hypot(v, y), [x, S] = b > 0 ? [v / b, y / b] : [1, 0], C = x * u + S * p, w = S * u - x * p, T = h <= 0 ? _ - h : _ > 0 ? g ** 2 / (_ + h) : 0, E = {
		h: [],
		y: [],
		w: [],
		error: []
	}, D = Math.sqrt(r);
	for (let e of t) {
		let t = Math.min(e, 1e300), r = Math.exp(-2 * _ * t), a = sl(-2 * _, t), o = h <= 0 ? r * sl(2 * h, t) : Math.exp(-2 * T * t) * sl(-2 * h, t), s = r + l ** 2 * (C ** 2 * a + w ** 2 * r * a + m ** 2 * o), c = Math.sqrt(s), u = (e) => s > 0 ? e / c : 0, d = u(x * C + S * w * r), f = l * d * u(S * C - x * w * r), p = l * d * u(m * Math.exp(-T * t));
		E.h.push(n * i / 2 * d ** 2), E.y.push(f ** 2 + p ** 2), E.w.push(f * (f - D) + p ** 2), E.error.push((f - D) ** 2 + p ** 2);
	}
	return E;
}
function ll(e) {
	return {
		...e,
		dy: 0,
		w: e.y
	};
}
function ul(e, t) {
	let n = (t) => cl(e, [t]).error[0], [r, i] = [n(0), n(Infinity)], a = r + t * (i - r);
	if (!(r > i)) return 0;
	let o = (e) => n(e) <= a, s = 1 / (e.rateY + e.rateH);
	for (let e = 0; e < 200 && !o(s); e++) s *= 2;
	let c = 0;
	for (let e = 0; e < 100 && s - c > 1e-14 * s; e++) {
		let e = .5 * (s + c);
		o(e) ? s = e : c = e;
	}
	return s;
}
//#endregion
//#region src/learn/pair.ts
var dl = [
	4,
	32,
	32,
	32,
	3
], fl = 2, pl = .2, ml = class {
	weights;
	activity;
	slopes;
	targets;
	constructor(e, t) {
		let n = Wa(t);
		this.weights = dl.slice(1).map((e, t) => qs(e, dl[t], 1 / Math.sqrt(dl[t]), n)), this.activity = dl.map((e) => $(e, 2)), this.slopes = dl.map((e) => $(e, 2));
		let r = _l(hl(dl[0], n)), i = _l(vl(hl(dl[0], n), r));
		r.forEach((t, n) => {
			this.activity[0].data[2 * n] = i[n] - t * e.dx / 2, this.activity[0].data[2 * n + 1] = i[n] + t * e.dx / 2;
		});
		let a = this.weights.length;
		this.forward(), this.rescale(0, fl, e.encoder * e.dx / gl(this.difference(fl))), this.rescale(fl, a, e.decoder * e.encoder * e.dx / gl(this.difference(a)));
		let o = _l(this.difference(a)), s = _l(vl(hl(o.length, n), o)), c = Math.sqrt(1 - e.cosine ** 2);
		this.targets = $(o.length, 2), o.forEach((t, n) => {
			let r = e.dy * (e.cosine * t + c * s[n]) / 2, i = .5 * (this.activity[a].data[2 * n] + this.activity[a].data[2 * n + 1]);
			this.targets.data[2 * n] = i - r, this.targets.data[2 * n + 1] = i + r;
		});
	}
	rescale(e, t, n) {
		let r = n ** (1 / (t - e));
		for (let n = e; n < t; n++) this.weights[n].data.forEach((e, t, n) => n[t] = r * e);
		this.forward();
	}
	forward() {
		let e = this.weights.length;
		for (let t = 0; t < e; t++) {
			let { data: n } = Ho(this.weights[t], this.activity[t], this.activity[t + 1]), r = this.slopes[t + 1].data;
			for (let i = 0; i < n.length; i++) r[i] = t === e - 1 || n[i] > 0 ? 1 : pl, n[i] *= r[i];
		}
	}
	difference(e) {
		let { data: t, rows: n } = this.activity[e];
		return Array.from({ length: n }, (e, n) => t[2 * n + 1] - t[2 * n]);
	}
	get state() {
		let [e, t] = [this.difference(fl), this.difference(this.weights.length)], n = t.reduce((e, t) => e + t * t, 0), r = n - t.reduce((e, t, n) => e + t * (this.targets.data[2 * n + 1] - this.targets.data[2 * n]), 0);
		return {
			h: e.reduce((e, t) => e + t * t, 0),
			y: n,
			w: r
		};
	}
	get loss() {
		return this.activity[this.weights.length].data.reduce((e, t, n) => e + (t - this.targets.data[n]) ** 2, 0) / 4;
	}
	descent() {
		let e = this.weights.length, t = $(dl[e], 2);
		t.data.forEach((n, r) => t.data[r] = (this.targets.data[r] - this.activity[e].data[r]) / 2);
		let n = [];
		for (let r = e - 1; r >= 0; r--) n.unshift(Wo(t, this.activity[r])), t = Uo(this.weights[r], t), t.data.forEach((e, n) => t.data[n] = e * this.slopes[r].data[n]);
		return n;
	}
	step(e) {
		this.descent().forEach((t, n) => {
			let { data: r } = this.weights[n];
			for (let n = 0; n < r.length; n++) r[n] += e * t.data[n];
		}), this.forward();
	}
};
function hl(e, t) {
	return Array.from({ length: e }, t);
}
function gl(e) {
	return Math.hypot(...e);
}
function _l(e) {
	let t = gl(e);
	return e.map((e) => e / t);
}
function vl(e, t) {
	let n = e.reduce((e, n, r) => e + n * t[r], 0);
	return e.map((e, r) => e - n * t[r]);
}
//#endregion
//#region src/theory/fit.ts
var yl = Array.from({ length: 33 }, (e, t) => -2 + t / 8), bl = [
	-.5,
	0,
	.5
], xl = 100, Sl = Math.log(1e8), Cl = 60;
function wl(e, t, n) {
	let { times: r, h: i, y: a, w: o } = e, s = r.map((e, t) => .5 * ((r[t + 1] ?? e) - (r[t - 1] ?? e))), c = r.map((e) => e - r[0]), l = (e) => ({
		dx: t,
		dy: n,
		rateH: Math.exp(e[0]),
		rateY: Math.exp(e[1]),
		h: i[0],
		y: a[0],
		w: o[0]
	}), u = r.map((e, t) => t), d = (e, t) => {
		let n = cl(l(e), t.map((e) => c[e])), r = new Float64Array(3 * t.length);
		return t.forEach((e, t) => {
			let c = Math.sqrt(s[e]);
			r[3 * t] = (n.h[t] - i[e]) * c, r[3 * t + 1] = (n.y[t] - a[e]) * c, r[3 * t + 2] = (n.w[t] - o[e]) * c;
		}), r;
	}, f = (e) => e.reduce((e, t) => e + t * t, 0), p = u.length <= xl ? u : Array.from({ length: xl }, (e, t) => Math.round(t * (u.length - 1) / 99)), [m, h] = Tl(e, t), g = [m, h], _ = Infinity;
	for (let e of yl) for (let t of bl) {
		let n = [m + Math.LN10 * e, h + Math.LN10 * (e + t)], r = f(d(n, p));
		r < _ && ([g, _] = [n, r]);
	}
	g = El((e) => d(e, u), g);
	let v = u.reduce((e, t) => e + s[t] * (i[t] ** 2 + a[t] ** 2 + o[t] ** 2), 0);
	return {
		pair: l(g),
		error: Math.sqrt(f(d(g, u)) / v)
	};
}
function Tl({ times: e, h: t, y: n, w: r }, i) {
	let [a, o, s, c, l] = [
		0,
		0,
		0,
		0,
		0
	];
	e.forEach((u, d) => {
		d > 0 && (a += .5 * (r[d] + r[d - 1]) * (u - e[d - 1])), o += -i * a * (t[d] - t[0]), s += (i * a) ** 2;
		let f = t[d] * (t[d] - t[0]) / i;
		c += f * (n[d] - n[0] / t[0] * t[d]), l += f ** 2;
	});
	let u = (e, t, n) => e / t > 0 && Number.isFinite(e / t) ? e / t : n, d = u(o, s, 1 / (e[e.length - 1] - e[0]));
	return [Math.log(d), Math.log(d * u(c, l, 1))];
}
function El(e, t) {
	let n = [...t], r = e(n), i = r.reduce((e, t) => e + t * t, 0), a = .001;
	for (let o = 0; o < Cl; o++) {
		let o = [0, 1].map((t) => {
			let r = 1e-5, [i, a] = [r, -1e-5].map((r) => e(t === 0 ? [n[0] + r, n[1]] : [n[0], n[1] + r]));
			return i.map((e, t) => (e - a[t]) / (2 * r));
		}), s = (e, t) => e.reduce((e, n, r) => e + n * t[r], 0), [c, l, u] = [
			s(o[0], o[0]),
			s(o[0], o[1]),
			s(o[1], o[1])
		], [d, f] = [s(o[0], r), s(o[1], r)], p = !1;
		for (; !p && a < 0xe8d4a51000;) {
			let [o, s] = [c * (1 + a), u * (1 + a)], m = o * s - l * l;
			if (!(m > 0)) return n;
			let h = [(l * f - s * d) / m, (l * d - o * f) / m], g = (e) => Math.max(t[e] - Sl, Math.min(t[e] + Sl, n[e] + Math.max(-1, Math.min(1, h[e])))), _ = [g(0), g(1)], v = e(_), y = v.reduce((e, t) => e + t * t, 0);
			if (p = y <= i, p) {
				let e = Math.hypot(...h) < 1e-11 || i - y <= 1e-15 * i;
				if ([n, r, i, a] = [
					_,
					v,
					y,
					a / 10
				], e) return n;
			} else a *= 10;
		}
		if (!p) return n;
	}
	return n;
}
//#endregion
//#region src/topics/points_train.ts
var Dl = 320, Ol = 6e4, kl = 200, Al = 1e-4;
function* jl(e) {
	let t = {
		dx: Q(e, "dx"),
		dy: Q(e, "dy"),
		cosine: Q(e, "cosine"),
		encoder: Q(e, "encoder"),
		decoder: Q(e, "decoder")
	};
	for (let e = .1; e > 1e-12; e /= 3) if (yield* Ml(t, e / 4)) return;
}
function* Ml(e, t) {
	let n = new ml(e, 1), r = n.loss, i = {
		times: [],
		h: [],
		y: [],
		w: []
	}, a = () => ({
		...i,
		rate: t,
		fit: wl(i, e.dx ** 2, e.dy ** 2)
	}), [o, s] = [1, Ol];
	for (let e = 0; e <= s; e++) {
		if (e % o === 0) {
			let { h: r, y: a, w: s } = n.state;
			if (i.times.push(e * t), i.h.push(r), i.y.push(a), i.w.push(s), i.times.length > Dl) {
				let e = (e) => e.filter((e, t) => t % 2 == 0);
				i = {
					times: e(i.times),
					h: e(i.h),
					y: e(i.y),
					w: e(i.w)
				}, o *= 2;
			}
		}
		n.step(t);
		let { loss: c } = n;
		if (!(c <= 1.5 * r) && c > 1e-12) return !1;
		c <= Al * r && s === Ol && (s = Math.min(Ol, Math.ceil(1.33 * e) + 4)), (e + 1) % kl === 0 && (yield a());
	}
	return yield a(), !0;
}
//#endregion
//#region src/topics/points.ts
var Nl = 241, Pl = Array.from({ length: 73 }, (e, t) => 10 ** (-2 + t / 24));
function Fl(e, t = Q(e, "encoder"), n = Q(e, "decoder")) {
	let r = Q(e, "dx") ** 2, i = Q(e, "dy") ** 2, a = t ** 2 * r, o = n ** 2 * a;
	return {
		dx: r,
		dy: i,
		rateH: Q(e, "rate_h"),
		rateY: Q(e, "rate_y"),
		h: a,
		y: o,
		w: o - Q(e, "cosine") * Math.sqrt(o * i)
	};
}
function Il(e) {
	return al(rl(e), il(e));
}
var Ll = (e) => Number(e.toPrecision(3)).toString().replace("-", "−");
function Rl(e, t) {
	let n = Fl(e), [r, i] = ol(n), [a, o] = [rl(n), il(n)], [s, c] = [ul(n, .1), ul(n, .9)], l = c > 0 ? s / c : 0, u = Math.min(...i.eigenvalues.map(Math.abs)), d = Math.min(Math.max(1.6 * c, c + 4 / u), 4 * c) || 1, f = Array.from({ length: Nl }, (e, t) => d * t / 240), p = cl(n, f), m = cl(ll(n), f), h = {
		label: "time (in the unit of τ)",
		values: f,
		range: [0, d]
	}, g = [{
		axis: "x",
		at: s,
		label: "10 %"
	}, {
		axis: "x",
		at: c,
		label: "90 %"
	}], _ = Math.min(...p.h) < .1 * Math.min(n.h, i.h), v = [{
		label: "h",
		y: p.h,
		colour: 0,
		width: 2.5
	}, {
		label: "h if targets were equal",
		y: m.h,
		colour: 4,
		width: 1.5,
		dash: "dash"
	}];
	return {
		sentence: Vl(n, i.h, l, _),
		numbers: [
			{
				id: "final",
				label: "final distance h∞",
				value: i.h
			},
			{
				id: "low",
				label: "A_low (what the task asks for)",
				value: o
			},
			{
				id: "high",
				label: "A_high (what the start leaves)",
				value: a
			},
			{
				id: "escape",
				label: "growth rate away from h = 0",
				value: r.eigenvalues[0],
				unit: "1/time"
			},
			{
				id: "settle",
				label: "slowest rate at the end",
				value: u,
				unit: "1/time"
			},
			{
				id: "wait",
				label: "plateau: time to 10 % over time to 90 % learned",
				value: l
			},
			...t ? zl(t) : []
		],
		charts: [
			{
				kind: "lines",
				id: "h",
				title: "Distance of the two representations",
				x: h,
				y: { label: "h = ‖h₂ − h₁‖²" },
				lines: v,
				marks: [{
					axis: "y",
					at: i.h,
					label: "h∞"
				}]
			},
			{
				kind: "lines",
				id: "outputs",
				title: "Distance of the two outputs",
				x: h,
				y: { label: "squared distance" },
				lines: [{
					label: "y = ‖ŷ₂ − ŷ₁‖²",
					y: p.y,
					colour: 2,
					width: 2.5
				}, {
					label: "w = y − (ŷ₂ − ŷ₁)·(y₂ − y₁)",
					y: p.w,
					colour: 3,
					width: 2.5,
					dash: "dash"
				}],
				marks: [{
					axis: "y",
					at: n.dy,
					label: "target"
				}]
			},
			...t ? Bl(t) : [],
			{
				kind: "lines",
				id: "error",
				title: "Error of the difference, and its plateau",
				x: h,
				y: { label: "squared error" },
				lines: [{
					label: "2w − y + ‖y₂ − y₁‖²",
					y: p.error,
					colour: 1,
					width: 2.5
				}],
				marks: g
			},
			{
				kind: "scatter",
				id: "phase",
				title: "From the start past the saddle to the end",
				x: { label: "h" },
				y: { label: "w" },
				points: [
					{
						label: "end",
						x: i.h,
						y: 0,
						colour: 0,
						trail: p.h.map((e, t) => [e, p.w[t]])
					},
					{
						label: "saddle",
						x: r.h,
						y: 0,
						colour: 6
					},
					{
						label: "start",
						x: n.h,
						y: n.w,
						colour: 1
					}
				]
			},
			{
				kind: "lines",
				id: "gains",
				title: "Final distance from other starts",
				wide: !0,
				x: {
					label: "gain",
					values: Pl,
					log: !0,
					range: [.01, 10]
				},
				y: {
					label: "h∞ = final ‖h₂ − h₁‖²",
					log: !0
				},
				lines: [
					{
						label: "other encoder gains",
						y: Pl.map((t) => Il(Fl(e, t))),
						colour: 0,
						width: 2.5
					},
					{
						label: "other decoder gains",
						y: Pl.map((t) => Il(Fl(e, void 0, t))),
						colour: 1,
						width: 2.5,
						dash: "dashdot"
					},
					...o > 0 ? [{
						label: "A_low",
						y: Pl.map(() => o),
						colour: 2,
						width: 1.5,
						dash: "dash"
					}] : []
				],
				marks: [{
					axis: "x",
					at: Q(e, "encoder"),
					label: "encoder",
					colour: 0
				}, {
					axis: "x",
					at: Q(e, "decoder"),
					label: "decoder",
					colour: 1
				}]
			}
		]
	};
}
function zl({ fit: e, h: t }) {
	return [
		{
			id: "fit_error",
			label: "theory with fitted rates against network",
			value: e.error
		},
		{
			id: "fit_h",
			label: "network's 1/τh",
			value: e.pair.rateH,
			unit: "1/time"
		},
		{
			id: "fit_y",
			label: "network's 1/τy",
			value: e.pair.rateY,
			unit: "1/time"
		},
		{
			id: "fit_final",
			label: "h∞ at these rates",
			value: Il(e.pair)
		},
		{
			id: "network_final",
			label: "network's h now",
			value: t[t.length - 1]
		}
	];
}
function Bl(e) {
	let { times: t, fit: n } = e, r = cl(n.pair, t), i = {
		label: "flow time of the network",
		values: t
	}, a = (t, n) => [{
		label: `${t}, network`,
		y: e[t],
		colour: 6,
		width: 1.2,
		dash: "dash"
	}, {
		label: `${t}, theory with fitted rates`,
		y: r[t],
		colour: n,
		width: 2.5
	}];
	return [{
		kind: "lines",
		id: "network_h",
		title: "A leaky-ReLU network from this start",
		x: i,
		y: { label: "h = ‖h₂ − h₁‖²" },
		lines: a("h", 0)
	}, {
		kind: "lines",
		id: "network_y",
		title: "Its outputs",
		x: i,
		y: { label: "squared distance" },
		lines: [...a("y", 2), ...a("w", 3).map((e, t) => ({
			...e,
			dash: t ? "dashdot" : "dot"
		}))]
	}];
}
function Vl(e, t, n, r) {
	let i = il(e);
	return `${e.dy === 0 ? t > 0 ? `The targets are equal, and yet the representations stay ${Ll(t)} apart: what the start leaves, because the decoder learns to ignore their difference` : "The targets are equal and the representations merge: the encoder learns to drop their difference" : Math.abs(t / i - 1) < .1 ? `The distance ends at ${Ll(t)}, set by inputs and targets alone (A_low = ${Ll(i)}): the rich regime` : t > i ? `The distance ends at ${Ll(t)}, above the ${Ll(i)} that inputs and targets ask for: large encoder weights are kept, the lazy regime` : `The distance ends at ${Ll(t)}, below the ${Ll(i)} that inputs and targets ask for: a strong decoder needs little difference`}; the error falls ${n > .5 ? "after a long plateau, because it starts near the saddle h = 0" : n > .2 ? "after a short plateau" : "without a plateau"}${r ? ", and on the way the two points nearly merge" : ""}.`;
}
var Hl = {
	id: "two_points",
	title: "Two points",
	question: "How far apart will a network represent two inputs that it learns together?",
	paper: {
		text: "van Rossem & Saxe 2024, When representations align: universality in representation learning dynamics",
		href: "https://arxiv.org/abs/2402.09142"
	},
	theory: {
		text: "Whatever the architecture, if encoder and decoder are flexible enough to act as linear maps on two nearby points, three numbers follow closed equations: the squared distances of the representations (h) and of the outputs (y), and w, which compares outputs with targets. They are solved here in closed form. h = 0 is a saddle: small weights wait near it, which is the plateau. The end is fixed by A_low, which knows inputs and targets only, and by A_high, what is left of the start. The network beside it (4–32–32–32–3, leaky ReLU, representation in the middle) starts with the same gains, distances and cosine; its two rates are not known beforehand and are fitted to its curves.",
		equations: [
			"dh/dt = −(1/τh) dx w",
			"dy/dt = −w (h/τy + (1/τh) dx y/h)",
			"dw/dt = −(1/2τy)(3w − y + dy) h − (1/2τh) dx (y + w) w/h",
			"h∞ = ½A_high + √(¼A_high² + A_low²)",
			"A_high = h₀ − (τy/τh) dx y₀/h₀,  A_low² = (τy/τh) dx dy"
		]
	},
	controls: [
		{
			kind: "slider",
			id: "encoder",
			label: "Encoder gain",
			min: .01,
			max: 10,
			step: .05,
			value: .1,
			log: !0,
			help: "‖h₂ − h₁‖ over ‖x₂ − x₁‖ at time 0."
		},
		{
			kind: "slider",
			id: "decoder",
			label: "Decoder gain",
			min: .01,
			max: 10,
			step: .05,
			value: .1,
			log: !0,
			help: "‖ŷ₂ − ŷ₁‖ over ‖h₂ − h₁‖ at time 0."
		},
		{
			kind: "slider",
			id: "cosine",
			label: "Initial cosine",
			min: -1,
			max: 1,
			step: .05,
			value: 0,
			help: "Cosine between the outputs' and the targets' difference at time 0; below 0 the points must first merge."
		},
		{
			kind: "slider",
			id: "dx",
			label: "Distance of inputs",
			min: .1,
			max: 3,
			step: .05,
			value: .5,
			help: "‖x₂ − x₁‖."
		},
		{
			kind: "slider",
			id: "dy",
			label: "Distance of targets",
			min: 0,
			max: 3,
			step: .05,
			value: 1,
			help: "‖y₂ − y₁‖."
		},
		{
			kind: "slider",
			id: "rate_h",
			label: "Encoder rate 1/τh",
			min: .05,
			max: 5,
			step: .05,
			value: .5,
			log: !0,
			help: "Effective learning rate of the encoder."
		},
		{
			kind: "slider",
			id: "rate_y",
			label: "Decoder rate 1/τy",
			min: .05,
			max: 5,
			step: .05,
			value: .5,
			log: !0,
			help: "Effective learning rate of the decoder."
		}
	],
	view: Rl,
	live: {
		label: "Train a leaky-ReLU network",
		key: (e) => [
			"encoder",
			"decoder",
			"cosine",
			"dx",
			"dy"
		].map((t) => e[t]).join(" "),
		run: jl
	},
	python: (e) => {
		let { dx: t, dy: n, rateH: r, rateY: i, h: a, y: o, w: s } = Fl(e);
		return [
			"import scipy",
			"",
			"import festina as fs",
			"",
			`pair = fs.representation.TwoPoint(dx=${t}, dy=${n}, rates=(${r}, ${i}), start=(${a}, ${o}, ${s}))`,
			"saddle, end = pair.fixed_points",
			"",
			"",
			"def error(t):",
			"    state = pair.solve(t)",
			"    return float(2 * state.w - state.y + pair.dy)",
			"",
			"",
			"def lose(share):",
			"    goal, latest = error(0.0) + share * (error(float('inf')) - error(0.0)), 1.0",
			"    while error(latest) > goal:",
			"        latest *= 2",
			"    return scipy.optimize.brentq(lambda t: error(t) - goal, 0.0, latest, xtol=1e-14)",
			"",
			"",
			"numbers = {",
			"    \"final\": pair.final_distance,",
			"    \"low\": pair.low,",
			"    \"high\": pair.high,",
			"    \"escape\": saddle.eigenvalues[0],",
			"    \"settle\": min(map(abs, end.eigenvalues)),",
			"    \"wait\": lose(0.9) and lose(0.1) / lose(0.9),",
			"}"
		].join("\n");
	}
}, Ul = Math.sqrt(2 / 3);
function Wl(e) {
	return {
		name: "linear",
		pathways: 2,
		s: e / 2,
		d: e * e / 2
	};
}
function Gl(e) {
	let t = 2 + e * e;
	return {
		name: "xor",
		pathways: 4,
		s: Math.sqrt(t) / 4,
		d: t / 4
	};
}
function Kl(e, t, n, r) {
	return r === 0 ? 0 : r / (r * (t > 0 ? -Math.expm1(-2 * t * e) * n / t : 2 * n * e) + Math.exp(-2 * t * e));
}
function ql(e, t) {
	return e > 0 ? Math.log1p(t * e) / e : t;
}
function Jl(e, t, n) {
	return Math.floor(t / e.pathways) * n * n / 2;
}
function Yl(e, t, n, r) {
	let { pathways: i, s: a, d: o } = e;
	if (a === 0) return .5;
	let s = Kl(t * ql(a, n), a, o, r);
	return .5 - i * a * s + .5 * i * o * s * s;
}
function Xl(e, t, n, r) {
	let { s: i, d: a } = e;
	if (i === 0 || r === 0) return Infinity;
	let o = 1 - Math.sqrt(2 * t), s = r * a / i;
	return s >= o ? 0 : Math.log(o * (1 - s) / (s * (1 - o))) / (2 * i) / ql(i, n);
}
//#endregion
//#region src/topics/race.ts
var Zl = .2, Ql = 5, $l = Array.from({ length: 13 }, (e, t) => t / 4), eu = 3, tu = 3, nu = 1e-6, ru = 1e5, iu = .8, au = .1;
function ou(e) {
	let [t, n, r] = [
		Q(e, "delta"),
		Q(e, "units"),
		Q(e, "rate")
	], i = Q(e, "scale") / Math.sqrt(n), a = Gl(0), o = 1.2 * Xl(a, Zl, r, Jl(a, n, nu / Math.sqrt(n))), s = Math.ceil(o / 20) * 20;
	return {
		delta: t,
		units: n,
		rate: r,
		std: i,
		last: s,
		every: Math.ceil(s / 300)
	};
}
function su({ last: e, every: t }) {
	return Array.from({ length: Math.floor(e / t) + 1 }, (e, n) => n * t);
}
function* cu(e) {
	let t = ou(e), { units: n, rate: r, std: i, every: a } = t, o = su(t), s = Math.max(1, Math.round(ru / n)), c = so(t.delta), l = Array.from({ length: Ql }, (e, t) => Ka.random(c, n, i, t)), u = l.map((e) => [e.loss()]), d = 0;
	for (let e = 1; e < o.length; e++) l.forEach((e, t) => {
		for (let t = 0; t < a; t++) e.step(r);
		u[t].push(e.loss());
	}), d += a * Ql, !(d < s) && (d = 0, yield {
		steps: o.slice(0, e + 1),
		losses: u.map((e) => [...e]),
		sweep: []
	});
	let f = {
		steps: o,
		losses: u,
		shares: lu(l)
	}, p = [];
	yield {
		...f,
		sweep: []
	};
	for (let e of $l) {
		let t = Array.from({ length: eu }, (t, a) => {
			let s = Ka.random(so(e), n, i, a), c = [s.loss()], l = o.at(-1);
			for (let e = 0; e < l && c[e] > Zl; e++) s.step(r), c.push(s.loss());
			return po(Array.from(c.keys()), c, Zl);
		});
		p.push(t.reduce((e, t) => e + t, 0) / eu), yield {
			...f,
			sweep: [...p]
		};
	}
}
function lu(e) {
	let t = {
		xor: 0,
		linear: 0
	};
	for (let n of e) {
		let r = n.sizes(), i = r.reduce((e, t) => e + t, 0);
		r.forEach((r, a) => {
			let o = n.activity.subarray(4 * a, 4 * a + 4), s = Math.max(...o), c = Array.from(o, (e) => +(e > au * s)).join(""), l = r / i / e.length;
			c === "0110" || c === "1001" ? t.linear += l : c.replaceAll("0", "") === "1" && (t.xor += l);
		});
	}
	return t;
}
var uu = (e) => `${Math.round(100 * e)}\u00a0%`, du = (e) => Number.isFinite(e) ? `${Math.round(e)}` : "never", fu = (e) => Number.isFinite(e) ? e.toFixed(1) : "never", pu = [
	"no",
	"one",
	"two",
	"three",
	"four",
	"five"
];
function mu(e) {
	let t = e.reduce((e, t) => e + t, 0) / e.length;
	return [t, Math.sqrt(e.reduce((e, n) => e + (n - t) ** 2, 0) / e.length)];
}
var hu = {
	id: "race",
	title: "Race",
	question: "When does a ReLU network leave a linear solution for a nonlinear one?",
	paper: {
		text: "Jarvis, Klein, Rosman and Saxe 2025, section 3",
		href: "https://arxiv.org/abs/2503.06181"
	},
	theory: {
		text: "Four points form XOR in two inputs and are linearly separable, with margin 2Δ, in a third. Two gatings compete: two pathways by the sign of the target (linear), or one pathway per point (XOR). Each pathway is a linear network with one mode, solved in closed form. It starts where random weights put it, nσ²/2 for its n units, and grows at the rate of its singular value s; a finite step η slows it a little. Nothing is fitted.",
		equations: [
			"a(t) = (s/d) / (1 − (1 − s/(d a₀)) e^{−2st}),  t = steps · ln(1 + ηs)/s,  a₀ = nσ²/2",
			"linear: s = Δ/2, d = Δ²/2, n = N/2, L = ½ − Δa + ½Δ²a²",
			"XOR: s = √(2+Δ²)/4, d = (2+Δ²)/4, n = N/4, L = ½ − 4sa + 2da²",
			"s equal, and the winner changes, at Δ = √(2/3)"
		]
	},
	controls: [
		{
			kind: "slider",
			id: "delta",
			label: "Margin Δ",
			help: "How far apart the classes are in the third input; at 0 the task is XOR.",
			min: 0,
			max: tu,
			step: .05,
			value: .5,
			format: (e) => e.toFixed(2)
		},
		{
			kind: "slider",
			id: "scale",
			label: "Initial scale σ√N",
			help: "Standard deviation σ of an initial weight times the root of the number N of hidden units; 2×10⁻⁴ in the paper.",
			min: nu,
			max: 1,
			step: .1,
			value: 2e-4,
			log: !0
		},
		{
			kind: "slider",
			id: "units",
			label: "Hidden units N",
			help: "Width of the ReLU networks; 128 in the paper. Both gatings divide these units among their pathways.",
			min: 8,
			max: 512,
			step: 8,
			value: 128
		},
		{
			kind: "slider",
			id: "rate",
			label: "Step size η",
			help: "Step of gradient descent on the mean loss; 0.4 in the paper.",
			min: .05,
			max: .6,
			step: .05,
			value: .4,
			format: (e) => e.toFixed(2)
		}
	],
	view(e, t) {
		let n = ou(e), { delta: r, units: i, rate: a, std: o, last: s } = n, c = su(n), [l, u] = [Wl(r), Gl(r)].map((e) => {
			let t = Jl(e, i, o), n = Xl(e, Zl, a, t);
			return {
				s: e.s,
				time: n,
				loss: c.map((n) => Yl(e, n, a, t))
			};
		}), d = t?.losses.map((e) => po(t.steps, e, Zl)) ?? [], f = d.length > 0 && d.every(Number.isFinite), [p, m] = f ? mu(d) : [NaN, NaN], h = (t?.losses ?? []).map((e, n) => ({
			label: n ? `ReLU network, seed ${n}` : `ReLU networks, ${i} units`,
			x: t.steps,
			y: e,
			colour: 6,
			width: 1.25,
			quiet: n > 0
		})), g = Array.from({ length: 121 }, (e, t) => t * tu / 120), _ = (e) => g.map((t) => {
			let n = e(t), r = Xl(n, Zl, a, Jl(n, i, o));
			return r <= s ? r : NaN;
		});
		return {
			sentence: gu(n, l.time, u.time, f ? [p, m] : void 0, t?.shares),
			numbers: [
				{
					id: "steps_linear",
					label: `linear gating, steps to loss ${Zl}`,
					value: l.time,
					format: fu
				},
				{
					id: "steps_xor",
					label: `XOR gating, steps to loss ${Zl}`,
					value: u.time,
					format: fu
				},
				...f ? [{
					id: "steps_relu",
					label: `ReLU networks, mean of ${Ql}`,
					value: p,
					format: fu
				}] : [],
				{
					id: "s_linear",
					label: "singular value, linear",
					value: l.s
				},
				{
					id: "s_xor",
					label: "singular value, XOR",
					value: u.s
				},
				{
					id: "crossover",
					label: "crossover Δ",
					value: Ul
				}
			],
			charts: [{
				kind: "lines",
				id: "loss",
				title: `Loss at Δ = ${r.toFixed(2)}`,
				x: {
					label: "gradient steps",
					values: c,
					range: [0, s]
				},
				y: {
					label: "loss",
					range: [0, .6]
				},
				lines: [
					{
						label: "linear gating, closed form",
						y: l.loss,
						colour: 0,
						width: 4
					},
					{
						label: "XOR gating, closed form",
						y: u.loss,
						colour: 1,
						width: 4,
						dash: "dash"
					},
					...h
				],
				marks: [{
					axis: "y",
					at: Zl,
					label: "learned"
				}]
			}, {
				kind: "lines",
				id: "time",
				title: "Learning time by margin",
				x: {
					label: "margin Δ",
					values: g,
					range: [0, tu]
				},
				y: {
					label: `steps to loss ${Zl}`,
					range: [0, s]
				},
				lines: [
					{
						label: "linear gating",
						y: _(Wl),
						colour: 0,
						width: 4
					},
					{
						label: "XOR gating",
						y: _(Gl),
						colour: 1,
						width: 4,
						dash: "dash"
					},
					...t?.sweep.length ? [{
						label: `ReLU networks, mean of ${eu}`,
						x: $l.slice(0, t.sweep.length),
						y: t.sweep,
						colour: 6,
						width: 1.25
					}] : []
				],
				marks: [{
					axis: "x",
					at: Ul,
					label: "√(2/3)"
				}, {
					axis: "x",
					at: r,
					label: "Δ",
					colour: 2
				}]
			}]
		};
	},
	live: {
		label: `Train ${pu[Ql]} ReLU networks`,
		key: (e) => [
			"delta",
			"scale",
			"units",
			"rate"
		].map((t) => e[t]).join(),
		run: cu
	},
	python(e) {
		let { delta: t, units: n, rate: r } = ou(e);
		return [
			"import numpy as np",
			"import festina as fs",
			"",
			`task = fs.tasks.extended_xor(${t})`,
			`std, units, rate = ${Q(e, "scale")} / np.sqrt(${n}), ${n}, ${r}`,
			"sign = task.y[:, 0]",
			"gatings = {\"linear\": np.array([sign > 0, sign < 0]), \"xor\": np.eye(4)}",
			"numbers = {\"crossover\": float(np.sqrt(2 / 3))}",
			"for name, gates in gatings.items():",
			"    network = fs.gated.pathways(gates, 1, initial=fs.initial.Gaussian(std))",
			"    own = task.statistics(network).effective[0]",
			"    s, d = (own.strengths[0], own.curvatures[0]) if own.rank else (0.0, 0.0)",
			"    start = units // len(gates) * std**2 / 2",
			`    end = s / d * (1 - np.sqrt(2 * ${Zl})) if s else np.inf`,
			"    time = fs.linear.time_to_strength(max(end, start), s, d, start) if s else np.inf",
			"    numbers[f\"s_{name}\"] = float(s)",
			"    numbers[f\"steps_{name}\"] = float(time * s / np.log1p(rate * s)) if s else np.inf"
		].join("\n");
	}
};
function gu({ delta: e, rate: t }, n, r, i, a) {
	let o = Math.min(n, r), s = Math.max(n, r), [c, l] = n < r ? ["linear", "XOR"] : ["XOR", "linear"], u = e < Ul ? "below" : "above", d = s - o < .5 ? `At Δ = ${e.toFixed(2)} both gatings learn in ${du(o)} steps` : `At Δ = ${e.toFixed(2)}, ${u} the crossover √(2/3) ≈ 0.82, the ${c} gating wins: it learns in ${du(o)} steps, the ${l} one ${Number.isFinite(s) ? `in ${du(s)}` : "never"}`;
	if (!i) return `${d}${a ? "; the ReLU networks have not learned in the time shown" : ""}.`;
	let [f, p] = i, m = f - o, h = Math.abs(m) * t <= iu ? "as predicted" : `${Math.abs(m).toFixed(1)} ${m > 0 ? "later" : "earlier"} than predicted`, g = `${d}; ReLU networks take ${f.toFixed(1)} ± ${p.toFixed(1)}, ${h}`;
	if (!a) return `${g}.`;
	let [_, v] = a.xor > a.linear ? [a.xor, "on at a single point"] : [a.linear, "on at both points of one sign"];
	return `${g}, with ${uu(_)} of their map in units ${v}.`;
}
//#endregion
//#region src/topics/index.ts
var _u = [
	hu,
	nl,
	ac,
	No,
	Hl
], vu = "body:has(>.festina.page){margin:0}.festina{--ink:#16202c;--quiet:#53606f;--line:#d9e0e7;--ground:#f4f6f8;--paper:#fff;--accent:#0072b2;--on-accent:#fff;--warn:#fff3d6;--warn-ink:#5c3d00;--lightningcss-light:initial;--lightningcss-dark: ;color-scheme:light;color:var(--ink);background:var(--ground);text-align:left;font:17px/1.45 system-ui,-apple-system,Segoe UI,DejaVu Sans,sans-serif}.festina[data-theme=dark]{--ink:#e9eef4;--quiet:#a3b0bf;--line:#33404f;--ground:#0d131a;--paper:#151d27;--accent:#4aa3e0;--on-accent:#06121c;--warn:#3a2d0c;--warn-ink:#ffdf9e;--lightningcss-light: ;--lightningcss-dark:initial;color-scheme:dark}@media (prefers-color-scheme:dark){.festina:not([data-theme=light]){--ink:#e9eef4;--quiet:#a3b0bf;--line:#33404f;--ground:#0d131a;--paper:#151d27;--accent:#4aa3e0;--on-accent:#06121c;--warn:#3a2d0c;--warn-ink:#ffdf9e;--lightningcss-light: ;--lightningcss-dark:initial;color-scheme:dark}}.festina.page{min-height:100vh}.festina.large{font-size:22px}@media (min-width:52em){.festina.large .topic{grid-template-columns:14em minmax(0,1fr)}}.festina.notebook{border:1px solid var(--line);border-radius:10px;font-size:15px}.festina,.festina *{box-sizing:border-box}.festina :is(button,input,output,summary){font:inherit;color:inherit}.festina :is(h1,h2,h3,p,ul,dl,dd,dt,figure,fieldset){margin:0;padding:0}.festina :focus-visible{outline:3px solid var(--accent);outline-offset:2px}.festina .top{background:var(--paper);border-bottom:1px solid var(--line);flex-wrap:wrap;align-items:center;gap:.3em 1.6em;padding:.45em 1.4em;display:flex}.festina .top h1{letter-spacing:.01em;font-size:1.15em}.festina nav{scrollbar-width:none;gap:.2em;display:flex;overflow-x:auto}.festina nav a{color:var(--quiet);white-space:nowrap;border-radius:.5em;padding:.35em .75em;text-decoration:none}.festina nav a:hover{background:var(--ground);color:var(--ink)}.festina nav a[aria-current]{background:var(--accent);color:var(--on-accent)}.festina .tools{gap:.4em;margin-left:auto;display:flex}.festina :is(.tools button,.copy,.press){background:var(--paper);border:1px solid var(--line);cursor:pointer;border-radius:.5em;padding:.35em .75em;font-size:.88em}.festina :is(.tools button,.copy,.press):hover,.festina .tools button[aria-pressed=true]{border-color:var(--accent)}.festina .notice{background:var(--warn);color:var(--warn-ink);border-radius:.5em;margin:.8em 1.4em 0;padding:.6em .9em}.festina .topic{grid-template-columns:minmax(15em,18em) minmax(0,1fr);gap:.7em 1.6em;max-width:96em;margin:0 auto;padding:1em 1.4em 2em;display:grid}.festina .topic>header{grid-column:1/-1}.festina :is(h1,h2,h3){font-weight:700}.festina h2{text-wrap:balance;font-size:1.3em;line-height:1.25}.festina .side{align-self:start;gap:.9em;display:grid}.festina.page .side{scrollbar-width:thin;max-height:calc(100vh - 1.6em);position:sticky;top:.8em;overflow-y:auto}.festina .panel{background:var(--paper);border:1px solid var(--line);border-radius:.7em;gap:1em;padding:1em;display:grid}.festina .seen{align-content:start;gap:.9em;min-width:0;display:grid}.festina .sentence{max-width:75ch;min-height:2.9em;font-size:1.06em}.festina .numbers{background:var(--paper);border:1px solid var(--line);border-radius:.7em;padding:.4em 1em}.festina .numbers>div{justify-content:space-between;align-items:center;gap:1em;padding:.35em 0;display:flex}.festina .numbers>div+div{border-top:1px solid var(--line)}.festina .numbers dt{color:var(--quiet);font-size:.8em;line-height:1.25}.festina .numbers dd{text-align:right;font-variant-numeric:tabular-nums;font-size:.93em;font-weight:600;line-height:1.2}.festina .numbers small{white-space:nowrap;color:var(--quiet);font-weight:400;display:block}.festina .controls{flex-wrap:wrap;align-items:end;gap:.7em .35em;display:flex}.festina .controls>:not(.press){width:100%}.festina .controls>.press+.press{margin-top:-.35em}.festina fieldset{border:0;min-width:0}.festina .head{justify-content:space-between;align-items:baseline;gap:.6em;display:flex}.festina .head output{font-variant-numeric:tabular-nums;white-space:nowrap;font-weight:600}.festina :is(legend,.slider label){padding:0;font-size:.93em}.festina input[type=range]{appearance:none;cursor:pointer;touch-action:pan-y;background:0 0;width:100%;height:1.9em;margin:0;display:block}.festina input[type=range]::-webkit-slider-runnable-track{background:linear-gradient(to right, var(--accent) var(--filled,0%), var(--line) var(--filled,0%));border-radius:1em;height:.36em}.festina input[type=range]::-moz-range-track{background:linear-gradient(to right, var(--accent) var(--filled,0%), var(--line) var(--filled,0%));border-radius:1em;height:.36em}.festina input[type=range]::-webkit-slider-thumb{appearance:none;border:3px solid var(--paper);background:var(--accent);width:1.25em;height:1.25em;box-shadow:0 0 0 1px var(--line);border-radius:50%;margin-top:-.445em}.festina input[type=range]::-moz-range-thumb{border:3px solid var(--paper);background:var(--accent);border-radius:50%;width:1em;height:1em}.festina .choice{flex-wrap:wrap;gap:.35em;display:flex}.festina .choice legend{float:left;width:100%;margin-bottom:.3em}.festina .choice label{position:relative}.festina .choice input{opacity:0;cursor:pointer;margin:0;position:absolute;inset:0}.festina .choice span{border:1px solid var(--line);border-radius:.5em;padding:.25em .65em;font-size:.9em;display:block}.festina .choice input:checked+span{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}.festina .choice input:focus-visible+span{outline:3px solid var(--accent);outline-offset:2px}.festina .scroll{overflow-x:auto}.festina .grid table{border-collapse:separate;border-spacing:3px;margin-top:.3em;font-size:.85em}.festina .grid th{color:var(--quiet);padding:0 .2em;font-weight:400}.festina .grid th[scope=col]{text-align:center}.festina .grid th[scope=row]{text-align:right;white-space:nowrap}.festina .grid :is(td,tr){background:0 0;padding:0}.festina .grid button{background:var(--ground);border:1px solid var(--line);cursor:pointer;border-radius:.4em;width:2.3em;height:2.3em;display:block}.festina .grid button[aria-pressed=true]{background:var(--accent);border-color:var(--accent)}.festina .grid button[aria-pressed=true]:after{content:\"✓\";color:var(--on-accent)}.festina .train{text-align:left;background:var(--ground);border:1px solid var(--line);cursor:pointer;border-radius:.5em;align-items:center;gap:.6em;padding:.55em .7em;line-height:1.25;display:flex}.festina .lamp{border:2px solid var(--quiet);border-radius:50%;flex:none;width:.75em;height:.75em}.festina .train[aria-pressed=true] .lamp{background:var(--accent);border-color:var(--accent)}.festina .train[data-training=running] .lamp{animation:1.2s ease-in-out infinite festina-breath}@keyframes festina-breath{50%{opacity:.25}}@media (prefers-reduced-motion:reduce){.festina .lamp{animation:none!important}}.festina .status{color:var(--quiet);margin-left:auto;font-size:.82em}.festina .charts{grid-template-columns:repeat(auto-fit,minmax(min(21em,100%),1fr));gap:1em;display:grid}.festina .chart{background:var(--paper);border:1px solid var(--line);border-radius:.7em;flex-direction:column;min-width:0;padding:.7em .8em .5em;display:flex}.festina .chart.wide{grid-column:1/-1}.festina figcaption{justify-content:space-between;align-items:flex-start;gap:.8em;display:flex}.festina h3{font-size:1em;line-height:1.3}.festina .save{background:0 0;border:0;flex:none;padding:0;font-size:.76em;display:flex;position:static}.festina .save :is(summary,button){color:var(--quiet);cursor:pointer;background:0 0;border:0;border-radius:.4em;padding:.3em .5em;font-weight:400;list-style:none}.festina .save summary{order:1}.festina .save summary::-webkit-details-marker{display:none}.festina .save[open]::details-content{display:contents}.festina .save :is(summary,button):hover{color:var(--accent);text-decoration:underline}.festina .legend{flex-wrap:wrap;gap:.05em 1.1em;margin:.25em 0 .2em;font-size:.85em;list-style:none;display:flex}.festina .legend:empty{display:none}.festina .legend li{align-items:center;gap:.4em;margin:0;display:flex}.festina .legend output{font-variant-numeric:tabular-nums;font-weight:600}.festina .plot{min-height:10em;margin-top:auto;overflow:hidden}.festina .plot svg{display:block}.festina .u-hz .u-cursor-x,.festina .u-hz .u-cursor-y{border-color:var(--quiet)}.festina .words{grid-template-columns:minmax(0,1fr);gap:.5em;display:grid}.festina details{background:var(--paper);border:1px solid var(--line);border-radius:.7em;padding:.55em .9em;position:relative}.festina summary{cursor:pointer;font-weight:600}.festina details p{max-width:75ch;margin-top:.6em}.festina .equations{margin-top:.6em;font-family:STIX Two Math,Cambria Math,DejaVu Serif,Georgia,serif;list-style:none;overflow-x:auto}.festina .equations li{margin:0 0 .35em 1em}.festina a{color:var(--accent)}.festina pre{background:var(--ground);color:inherit;border-radius:.5em;margin:.6em 0 0;padding:.7em .9em;font:.85em/1.5 ui-monospace,SF Mono,Menlo,DejaVu Sans Mono,monospace;overflow-x:auto}.festina .copy{position:absolute;top:.4em;right:.6em}@media (max-width:52em){.festina .topic{grid-template-columns:minmax(0,1fr);padding:.9em .8em 2em}.festina .topic>:is(.seen,.side),.festina .topic .charts{display:contents}.festina .topic .panel{order:1}.festina .topic .numbers,.festina .topic .chart:not(:first-child),.festina .topic .words{order:2}.festina .top{padding:.45em .8em}.festina .top h1{order:0}.festina .tools{order:1}.festina nav{order:2;width:100%}.festina .notice{margin-inline:.8em}.festina h2{font-size:1.15em}}";
//#endregion
//#region src/widget.ts
function yu({ model: e, el: t }) {
	let n = _u.find(({ id: t }) => t === e.get("topic"));
	if (!n) throw Error(`there is no topic ${String(e.get("topic"))}`);
	let r = Z("div", { class: "festina notebook" });
	t.append(Z("style", {}, ".uplot,.uplot *,.uplot :before,.uplot :after{box-sizing:border-box}.uplot{width:min-content;font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,Noto Sans,sans-serif,Apple Color Emoji,Segoe UI Emoji,Segoe UI Symbol,Noto Color Emoji;line-height:1.5}.u-title{text-align:center;font-size:18px;font-weight:700}.u-wrap{-webkit-user-select:none;user-select:none;position:relative}.u-over,.u-under{position:absolute}.u-under{overflow:hidden}.uplot canvas{width:100%;height:100%;display:block;position:relative}.u-axis{position:absolute}.u-legend{text-align:center;margin:auto;font-size:14px}.u-inline{display:block}.u-inline *{display:inline-block}.u-inline tr{margin-right:16px}.u-legend th{font-weight:600}.u-legend th>*{vertical-align:middle;display:inline-block}.u-legend .u-marker{width:1em;height:1em;margin-right:4px;background-clip:padding-box!important}.u-inline.u-live th:after{content:\":\";vertical-align:middle}.u-inline:not(.u-live) .u-value{display:none}.u-series>*{padding:4px}.u-series th{cursor:pointer}.u-legend .u-off>*{opacity:.3}.u-select{pointer-events:none;background:#00000012;position:absolute}.u-cursor-x,.u-cursor-y{pointer-events:none;will-change:transform;position:absolute;top:0;left:0}.u-hz .u-cursor-x,.u-vt .u-cursor-y{border-right:1px dashed #607d8b;height:100%}.u-hz .u-cursor-y,.u-vt .u-cursor-x{border-bottom:1px dashed #607d8b;width:100%}.u-cursor-pt{pointer-events:none;will-change:transform;border:0 solid;border-radius:50%;position:absolute;top:0;left:0;background-clip:padding-box!important}.u-axis.u-off,.u-select.u-off,.u-cursor-x.u-off,.u-cursor-y.u-off,.u-cursor-pt.u-off{display:none}", vu), r);
	let i = ga(n, {}).filter((e) => e.kind !== "button").map((e) => e.id), a = () => xa(n, Object.fromEntries(i.map((t) => [t, e.get(t)]))).state, o = (t) => {
		for (let n of i) JSON.stringify(e.get(n)) !== JSON.stringify(t[n]) && e.set(n, t[n]);
		e.save_changes();
	}, s = new Ra(n, a(), Ha(r), {
		changed: o,
		switched: (t) => {
			e.set("train", t), e.save_changes();
		},
		drawn: ({ numbers: t }) => {
			let n = Object.fromEntries(Object.entries(t).map(([e, t]) => [e, Number.isFinite(t) ? t : null]));
			JSON.stringify(e.get("numbers")) !== JSON.stringify(n) && (e.set("numbers", n), e.save_changes());
		}
	}, !!e.get("train"));
	r.append(s.root);
	let c = () => {
		let e = a();
		s.set(e), o(e);
	}, l = () => s.train(!!e.get("train"));
	for (let t of i) e.on(`change:${t}`, c);
	e.on("change:train", l);
	let u = requestAnimationFrame(() => s.restyle(Ha(r)));
	return () => {
		cancelAnimationFrame(u);
		for (let t of i) e.off(`change:${t}`, c);
		e.off("change:train", l), s.close();
	};
}
var bu = { render: yu };
//#endregion
export { bu as default };
