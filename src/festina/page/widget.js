//#region node_modules/uplot/dist/uPlot.min.css?inline
var e = !0, t = "uplot", n = "u-hz", r = "u-vt", i = "u-title", a = "u-wrap", o = "u-under", s = "u-over", c = "u-axis", l = "u-off", u = "u-select", d = "u-cursor-x", f = "u-cursor-y", p = "u-cursor-pt", m = "u-legend", h = "u-live", g = "u-inline", _ = "u-series", v = "u-marker", y = "u-label", b = "u-value", x = "width", S = "height", C = "top", w = "bottom", T = "left", E = "right", D = "#000", ee = "#0000", te = "mousemove", ne = "mousedown", re = "mouseup", ie = "mouseenter", ae = "mouseleave", oe = "dblclick", se = "resize", O = "scroll", k = "change", ce = "dppxchange", le = "--", A = typeof window < "u", ue = A ? document : null, de = A ? window : null, fe = A ? navigator : null, j, pe;
function me() {
	let e = devicePixelRatio;
	j != e && (j = e, pe && De(k, pe, me), pe = matchMedia(`(min-resolution: ${j - .001}dppx) and (max-resolution: ${j + .001}dppx)`), Ee(k, pe, me), de.dispatchEvent(new CustomEvent(ce)));
}
function he(e, t) {
	if (t != null) {
		let n = e.classList;
		!n.contains(t) && n.add(t);
	}
}
function ge(e, t) {
	let n = e.classList;
	n.contains(t) && n.remove(t);
}
function M(e, t, n) {
	e.style[t] = n + "px";
}
function _e(e, t, n, r) {
	let i = ue.createElement(e);
	return t != null && he(i, t), n?.insertBefore(i, r), i;
}
function ve(e, t) {
	return _e("div", e, t);
}
var ye = /* @__PURE__ */ new WeakMap();
function be(e, t, n, r, i) {
	let a = "translate(" + t + "px," + n + "px)";
	a != ye.get(e) && (e.style.transform = a, ye.set(e, a), t < 0 || n < 0 || t > r || n > i ? he(e, l) : ge(e, l));
}
var xe = /* @__PURE__ */ new WeakMap();
function Se(e, t, n) {
	let r = t + n;
	r != xe.get(e) && (xe.set(e, r), e.style.background = t, e.style.borderColor = n);
}
var N = /* @__PURE__ */ new WeakMap();
function Ce(e, t, n, r) {
	let i = t + "" + n;
	i != N.get(e) && (N.set(e, i), e.style.height = n + "px", e.style.width = t + "px", e.style.marginLeft = r ? -t / 2 + "px" : 0, e.style.marginTop = r ? -n / 2 + "px" : 0);
}
var we = { passive: !0 }, Te = {
	...we,
	capture: !0
};
function Ee(e, t, n, r) {
	t.addEventListener(e, n, r ? Te : we);
}
function De(e, t, n, r) {
	t.removeEventListener(e, n, we);
}
A && me();
function Oe(e, t, n, r) {
	let i;
	n ||= 0, r ||= t.length - 1;
	let a = r <= 2147483647;
	for (; r - n > 1;) i = a ? n + r >> 1 : Ke((n + r) / 2), t[i] < e ? n = i : r = i;
	return e - t[n] <= t[r] - e ? n : r;
}
function ke(e) {
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
var Ae = (e) => e != null, je = (e) => e != null && e > 0, Me = ke(Ae), P = ke(je);
function Ne(e, t, n, r = 0, i = !1) {
	let a = i ? P : Me, o = i ? je : Ae;
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
	return [s ?? nt, c ?? -nt];
}
function Pe(e, t, n, r) {
	let i = Qe(e), a = Qe(t);
	e == t && (i == -1 ? (e *= n, t /= n) : (e /= n, t *= n));
	let o = n == 10 ? $e : R, s = i == 1 ? Ke : Je, c = a == 1 ? Je : Ke, l = s(o(Ge(e))), u = c(o(Ge(t))), d = Ze(n, l), f = Ze(n, u);
	return n == 10 && (l < 0 && (d = B(d, -l)), u < 0 && (f = B(f, -u))), r || n == 2 ? (e = d * i, t = f * a) : (e = gt(e, d), t = ht(t, f)), [e, t];
}
function Fe(e, t, n, r) {
	let i = Pe(e, t, n, r);
	return e == 0 && (i[0] = 0), t == 0 && (i[1] = 0), i;
}
var Ie = .1, Le = {
	mode: 3,
	pad: Ie
}, Re = {
	pad: 0,
	soft: null,
	mode: 0
}, F = {
	min: Re,
	max: Re
};
function ze(e, t, n, r) {
	return Dt(n) ? Ve(e, t, n) : (Re.pad = n, Re.soft = r ? 0 : null, Re.mode = r ? 3 : 0, Ve(e, t, F));
}
function I(e, t) {
	return e ?? t;
}
function Be(e, t, n) {
	for (t = I(t, 0), n = I(n, e.length - 1); t <= n;) {
		if (e[t] != null) return !0;
		t++;
	}
	return !1;
}
function Ve(e, t, n) {
	let r = n.min, i = n.max, a = I(r.pad, 0), o = I(i.pad, 0), s = I(r.hard, -nt), c = I(i.hard, nt), l = I(r.soft, nt), u = I(i.soft, -nt), d = I(r.mode, 0), f = I(i.mode, 0), p = t - e, m = $e(p), h = Xe(Ge(e), Ge(t)), g = Ge($e(h) - m);
	(p < 1e-24 || g > 10) && (p = 0, (e == 0 || t == 0) && (p = 1e-24, d == 2 && l != nt && (a = 0), f == 2 && u != -nt && (o = 0)));
	let _ = p || h || 1e3, v = Ze(10, Ke($e(_))), y = B(gt(e - _ * (p == 0 ? e == 0 ? .1 : 1 : a), v / 10), 24), b = e >= l && (d == 1 || d == 3 && y <= l || d == 2 && y >= l) ? l : nt, x = Xe(s, y < b && e >= b ? b : Ye(b, y)), S = B(ht(t + _ * (p == 0 ? t == 0 ? .1 : 1 : o), v / 10), 24), C = t <= u && (f == 1 || f == 3 && S >= u || f == 2 && S <= u) ? u : -nt, w = Ye(c, S > C && t <= C ? C : Xe(C, S));
	return x == w && x == 0 && (w = 100), [x, w];
}
var L = new Intl.NumberFormat(A ? fe.language : "en-US"), He = (e) => L.format(e), Ue = Math, We = Ue.PI, Ge = Ue.abs, Ke = Ue.floor, qe = Ue.round, Je = Ue.ceil, Ye = Ue.min, Xe = Ue.max, Ze = Ue.pow, Qe = Ue.sign, $e = Ue.log10, R = Ue.log2, et = (e, t = 1) => Ue.sinh(e) * t, tt = (e, t = 1) => Ue.asinh(e / t), nt = Infinity;
function rt(e) {
	return ($e((e ^ e >> 31) - (e >> 31)) | 0) + 1;
}
function it(e, t, n) {
	return Ye(Xe(e, t), n);
}
function at(e) {
	return typeof e == "function";
}
function z(e) {
	return at(e) ? e : () => e;
}
var ot = () => {}, st = (e) => e, ct = (e, t) => t, lt = (e) => null, ut = (e) => !0, dt = (e, t) => e == t, ft = /\.\d*?(?=9{6,}|0{6,})/gm, pt = (e) => {
	if (wt(e) || _t.has(e)) return e;
	let t = `${e}`, n = t.match(ft);
	if (n == null) return e;
	let r = n[0].length - 1;
	if (t.indexOf("e-") != -1) {
		let [e, n] = t.split("e");
		return +`${pt(e)}e${n}`;
	}
	return B(e, r);
};
function mt(e, t) {
	return pt(B(pt(e / t)) * t);
}
function ht(e, t) {
	return pt(Je(pt(e / t)) * t);
}
function gt(e, t) {
	return pt(Ke(pt(e / t)) * t);
}
function B(e, t = 0) {
	if (wt(e)) return e;
	let n = 10 ** t;
	return qe(e * n * (1 + 2 ** -52)) / n;
}
var _t = /* @__PURE__ */ new Map();
function vt(e) {
	return (("" + e).split(".")[1] || "").length;
}
function yt(e, t, n, r) {
	let i = [], a = r.map(vt);
	for (let o = t; o < n; o++) {
		let t = Ge(o), n = B(Ze(e, o), t);
		for (let s = 0; s < r.length; s++) {
			let c = e == 10 ? +`${r[s]}e${o}` : r[s] * n, l = (o >= 0 ? 0 : t) + (o >= a[s] ? 0 : a[s]), u = e == 10 ? c : B(c, l);
			i.push(u), _t.set(u, l);
		}
	}
	return i;
}
var bt = {}, xt = [], St = [null, null], Ct = Array.isArray, wt = Number.isInteger, Tt = (e) => e === void 0;
function Et(e) {
	return typeof e == "string";
}
function Dt(e) {
	let t = !1;
	if (e != null) {
		let n = e.constructor;
		t = n == null || n == Object;
	}
	return t;
}
function Ot(e) {
	return typeof e == "object" && !!e;
}
var kt = Object.getPrototypeOf(Uint8Array), At = "__proto__";
function jt(e, t = Dt) {
	let n;
	if (Ct(e)) {
		let r = e.find((e) => e != null);
		if (Ct(r) || t(r)) {
			n = Array(e.length);
			for (let r = 0; r < e.length; r++) n[r] = jt(e[r], t);
		} else n = e.slice();
	} else if (e instanceof kt) n = e.slice();
	else if (t(e)) {
		n = {};
		for (let r in e) r != At && (n[r] = jt(e[r], t));
	} else n = e;
	return n;
}
function Mt(e) {
	let t = arguments;
	for (let n = 1; n < t.length; n++) {
		let r = t[n];
		for (let t in r) t != At && (Dt(e[t]) ? Mt(e[t], jt(r[t])) : e[t] = jt(r[t]));
	}
	return e;
}
var V = 0, Nt = 1, Pt = 2;
function Ft(e, t, n) {
	for (let r = 0, i, a = -1; r < t.length; r++) {
		let o = t[r];
		if (o > a) {
			for (i = o - 1; i >= 0 && e[i] == null;) e[i--] = null;
			for (i = o + 1; i < n && e[i] == null;) e[a = i++] = null;
		}
	}
}
function It(e, t) {
	if (zt(e)) {
		let t = e[0].slice();
		for (let n = 1; n < e.length; n++) t.push(...e[n].slice(1));
		return Bt(t[0]) || (t = Rt(t)), t;
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
			let c = o[e], l = Array(i).fill(void 0), u = t ? t[n][e] : Nt, d = [];
			for (let e = 0; e < c.length; e++) {
				let t = c[e], n = a.get(s[e]);
				t === null ? u != V && (l[n] = t, u == Pt && d.push(n)) : l[n] = t;
			}
			Ft(l, d, i), r.push(l);
		}
	}
	return r;
}
var Lt = typeof queueMicrotask > "u" ? (e) => Promise.resolve().then(e) : queueMicrotask;
function Rt(e) {
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
function zt(e) {
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
function Bt(e, t = 100) {
	let n = e.length;
	if (n <= 1) return !0;
	let r = 0, i = n - 1;
	for (; r <= i && e[r] == null;) r++;
	for (; i >= r && e[i] == null;) i--;
	if (i <= r) return !0;
	let a = Xe(1, Ke((i - r + 1) / t));
	for (let t = e[r], n = r + a; n <= i; n += a) {
		let r = e[n];
		if (r != null) {
			if (r <= t) return !1;
			t = r;
		}
	}
	return !0;
}
var Vt = [
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
], Ht = [
	"Sunday",
	"Monday",
	"Tuesday",
	"Wednesday",
	"Thursday",
	"Friday",
	"Saturday"
];
function Ut(e) {
	return e.slice(0, 3);
}
var Wt = Ht.map(Ut), Gt = {
	MMMM: Vt,
	MMM: Vt.map(Ut),
	WWWW: Ht,
	WWW: Wt
};
function Kt(e) {
	return (e < 10 ? "0" : "") + e;
}
function qt(e) {
	return (e < 10 ? "00" : e < 100 ? "0" : "") + e;
}
var Jt = {
	YYYY: (e) => e.getFullYear(),
	YY: (e) => (e.getFullYear() + "").slice(2),
	MMMM: (e, t) => t.MMMM[e.getMonth()],
	MMM: (e, t) => t.MMM[e.getMonth()],
	MM: (e) => Kt(e.getMonth() + 1),
	M: (e) => e.getMonth() + 1,
	DD: (e) => Kt(e.getDate()),
	D: (e) => e.getDate(),
	WWWW: (e, t) => t.WWWW[e.getDay()],
	WWW: (e, t) => t.WWW[e.getDay()],
	HH: (e) => Kt(e.getHours()),
	H: (e) => e.getHours(),
	h: (e) => {
		let t = e.getHours();
		return t == 0 ? 12 : t > 12 ? t - 12 : t;
	},
	AA: (e) => e.getHours() >= 12 ? "PM" : "AM",
	aa: (e) => e.getHours() >= 12 ? "pm" : "am",
	a: (e) => e.getHours() >= 12 ? "p" : "a",
	mm: (e) => Kt(e.getMinutes()),
	m: (e) => e.getMinutes(),
	ss: (e) => Kt(e.getSeconds()),
	s: (e) => e.getSeconds(),
	fff: (e) => qt(e.getMilliseconds())
};
function Yt(e, t) {
	t ||= Gt;
	let n = [], r = /\{([a-z]+)\}|[^{]+/gi, i;
	for (; i = r.exec(e);) n.push(i[0][0] == "{" ? Jt[i[1]] : i[0]);
	return (e) => {
		let r = "";
		for (let i = 0; i < n.length; i++) r += typeof n[i] == "string" ? n[i] : n[i](e, t);
		return r;
	};
}
var Xt = new Intl.DateTimeFormat().resolvedOptions().timeZone;
function Zt(e, t) {
	let n;
	return t == "UTC" || t == "Etc/UTC" ? n = /* @__PURE__ */ new Date(+e + e.getTimezoneOffset() * 6e4) : t == Xt ? n = e : (n = new Date(e.toLocaleString("en-US", { timeZone: t })), n.setMilliseconds(e.getMilliseconds())), n;
}
var Qt = (e) => e % 1 == 0, $t = [
	1,
	2,
	2.5,
	5
], en = yt(10, -32, 0, $t), H = yt(10, 0, 32, $t), tn = H.filter(Qt), nn = en.concat(H), U = "\n", rn = "{YYYY}", an = U + rn, on = "{M}/{D}", sn = U + on, cn = sn + "/{YY}", ln = "{aa}", un = "{h}:{mm}" + ln, dn = U + un, fn = ":{ss}", W = null;
function pn(e) {
	let t = e * 1e3, n = t * 60, r = n * 60, i = r * 24, a = i * 30, o = i * 365, s = (e == 1 ? yt(10, 0, 3, $t).filter(Qt) : yt(10, -3, 0, $t)).concat([
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
			rn,
			W,
			W,
			W,
			W,
			W,
			W,
			1
		],
		[
			i * 28,
			"{MMM}",
			an,
			W,
			W,
			W,
			W,
			W,
			1
		],
		[
			i,
			on,
			an,
			W,
			W,
			W,
			W,
			W,
			1
		],
		[
			r,
			"{h}" + ln,
			cn,
			W,
			sn,
			W,
			W,
			W,
			1
		],
		[
			n,
			un,
			cn,
			W,
			sn,
			W,
			W,
			W,
			1
		],
		[
			t,
			fn,
			cn + " " + un,
			W,
			sn + " " + un,
			W,
			dn,
			W,
			1
		],
		[
			e,
			fn + ".{fff}",
			cn + " " + un,
			W,
			sn + " " + un,
			W,
			dn,
			W,
			1
		]
	];
	function l(t) {
		return (s, c, l, u, d, f) => {
			let p = [], m = d >= o, h = d >= a && d < o, g = t(l), _ = B(g * e, 3), v = Cn(g.getFullYear(), m ? 0 : g.getMonth(), h || m ? 1 : g.getDate()), y = B(v * e, 3);
			if (h || m) {
				let n = h ? d / a : 0, r = m ? d / o : 0, i = _ == y ? _ : B(Cn(v.getFullYear() + r, v.getMonth() + n, 1) * e, 3), s = new Date(qe(i / e)), c = s.getFullYear(), l = s.getMonth();
				for (let a = 0; i <= u; a++) {
					let o = Cn(c + r * a, l + n * a, 1), s = o - t(B(o * e, 3));
					i = B((+o + s) * e, 3), i <= u && p.push(i);
				}
			} else {
				let a = d >= i ? i : d, o = y + (Ke(l) - Ke(_)) + ht(_ - y, a);
				p.push(o);
				let m = t(o), h = m.getHours() + m.getMinutes() / n + m.getSeconds() / r, g = d / r, v = f / s.axes[c]._space;
				for (; o = B(o + d, e == 1 ? 0 : 3), !(o > u);) if (g > 1) {
					let e = Ke(B(h + g, 6)) % 24, n = t(o).getHours() - e;
					n > 1 && (n = -1), o -= n * r, h = (h + g) % 24;
					let i = p[p.length - 1];
					B((o - i) / d, 3) * v >= .7 && p.push(o);
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
var [mn, hn, gn] = pn(1), [_n, vn, yn] = pn(.001);
yt(2, -53, 53, [1]);
function bn(e, t) {
	return e.map((e) => e.map((n, r) => r == 0 || r == 8 || n == null ? n : t(r == 1 || e[8] == 0 ? n : e[1] + n)));
}
function xn(e, t) {
	return (n, r, i, a, o) => {
		let s = t.find((e) => o >= e[0]) || t[t.length - 1], c, l, u, d, f, p;
		return r.map((t) => {
			let n = e(t), r = n.getFullYear(), i = n.getMonth(), a = n.getDate(), o = n.getHours(), m = n.getMinutes(), h = n.getSeconds(), g = r != c && s[2] || i != l && s[3] || a != u && s[4] || o != d && s[5] || m != f && s[6] || h != p && s[7] || s[1];
			return c = r, l = i, u = a, d = o, f = m, p = h, g(n);
		});
	};
}
function Sn(e, t) {
	let n = Yt(t);
	return (t, r, i, a, o) => r.map((t) => n(e(t)));
}
function Cn(e, t, n) {
	return new Date(e, t, n);
}
function wn(e, t) {
	return t(e);
}
var Tn = "{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function En(e, t) {
	return (n, r, i, a) => a == null ? le : t(e(r));
}
function Dn(e, t) {
	let n = e.series[t];
	return n.width ? n.stroke(e, t) : n.points.width ? n.points.stroke(e, t) : null;
}
function On(e, t) {
	return e.series[t].fill(e, t);
}
var kn = {
	show: !0,
	live: !0,
	isolate: !1,
	mount: ot,
	markers: {
		show: !0,
		width: 2,
		stroke: Dn,
		fill: On,
		dash: "solid"
	},
	idx: null,
	idxs: null,
	values: []
};
function An(e, t) {
	let n = e.cursor.points, r = ve(), i = n.size(e, t);
	M(r, x, i), M(r, S, i);
	let a = i / -2;
	M(r, "marginLeft", a), M(r, "marginTop", a);
	let o = n.width(e, t, i);
	return o && M(r, "borderWidth", o), r;
}
function jn(e, t) {
	let n = e.series[t].points;
	return n._fill || n._stroke;
}
function Mn(e, t) {
	let n = e.series[t].points;
	return n._stroke || n._fill;
}
function Nn(e, t) {
	return e.series[t].points.size;
}
var Pn = [0, 0];
function Fn(e, t, n) {
	return Pn[0] = t, Pn[1] = n, Pn;
}
function In(e, t, n, r = !0) {
	return (e) => {
		e.button == 0 && (!r || e.target == t) && n(e);
	};
}
function Ln(e, t, n, r = !0) {
	return (e) => {
		(!r || e.target == t) && n(e);
	};
}
var Rn = {
	show: !0,
	x: !0,
	y: !0,
	lock: !1,
	move: Fn,
	points: {
		one: !1,
		show: An,
		size: Nn,
		width: 0,
		stroke: Mn,
		fill: jn
	},
	bind: {
		mousedown: In,
		mouseup: In,
		click: In,
		dblclick: In,
		mousemove: Ln,
		mouseleave: Ln,
		mouseenter: Ln
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
}, zn = {
	show: !0,
	stroke: "rgba(0,0,0,0.07)",
	width: 2
}, Bn = Mt({}, zn, { filter: ct }), Vn = Mt({}, Bn, { size: 10 }), Hn = Mt({}, zn, { show: !1 }), Un = "12px system-ui, -apple-system, \"Segoe UI\", Roboto, \"Helvetica Neue\", Arial, \"Noto Sans\", sans-serif, \"Apple Color Emoji\", \"Segoe UI Emoji\", \"Segoe UI Symbol\", \"Noto Color Emoji\"", Wn = "bold " + Un, Gn = 1.5, Kn = {
	show: !0,
	scale: "x",
	stroke: D,
	space: 50,
	gap: 5,
	alignTo: 1,
	size: 50,
	labelGap: 0,
	labelSize: 30,
	labelFont: Wn,
	side: 2,
	grid: Bn,
	ticks: Vn,
	border: Hn,
	font: Un,
	lineGap: Gn,
	rotate: 0
}, qn = "Value", Jn = "Time", Yn = {
	show: !0,
	scale: "x",
	auto: !1,
	sorted: 1,
	min: nt,
	max: -Infinity,
	idxs: []
};
function Xn(e, t, n, r, i) {
	return t.map((e) => e == null ? "" : He(e));
}
function Zn(e, t, n, r, i, a, o) {
	let s = [], c = _t.get(i) || 0;
	n = o ? n : B(ht(n, i), c);
	for (let e = n; e <= r; e = B(e + i, c)) s.push(Object.is(e, -0) ? 0 : e);
	return s;
}
function Qn(e, t, n, r, i, a, o) {
	let s = [], c = e.scales[e.axes[t].scale].log;
	i = Ze(c, Ke((c == 10 ? $e : R)(n))), c == 10 && (i = nn[Oe(i, nn)]);
	let l = n, u = i * c;
	c == 10 && (u = nn[Oe(u, nn)]);
	do
		s.push(l), l += i, c == 10 && !_t.has(l) && (l = B(l, _t.get(i))), l >= u && (i = l, u = i * c, c == 10 && (u = nn[Oe(u, nn)]));
	while (l <= r);
	return s;
}
function $n(e, t, n, r, i, a, o) {
	let s = e.scales[e.axes[t].scale].asinh, c = r > s ? Qn(e, t, Xe(s, n), r, i) : [s], l = r >= 0 && n <= 0 ? [0] : [];
	return (n < -s ? Qn(e, t, Xe(s, -r), -n, i) : [s]).reverse().map((e) => -e).concat(l, c);
}
var er = /./, tr = /[12357]/, nr = /[125]/, rr = /1/, ir = (e, t, n, r) => e.map((e, i) => t == 4 && e == 0 || i % r == 0 && n.test(e.toExponential()[+(e < 0)]) ? e : null);
function ar(e, t, n, r, i) {
	let a = e.axes[n], o = a.scale, s = e.scales[o], c = e.valToPos, l = a._space, u = c(10, o), d = c(9, o) - u >= l ? er : c(7, o) - u >= l ? tr : c(5, o) - u >= l ? nr : rr;
	if (d == rr) {
		let e = Ge(c(1, o) - u);
		if (e < l) return ir(t.slice().reverse(), s.distr, d, Je(l / e)).reverse();
	}
	return ir(t, s.distr, d, 1);
}
function or(e, t, n, r, i) {
	let a = e.axes[n], o = a.scale, s = a._space, c = e.valToPos, l = Ge(c(1, o) - c(2, o));
	return l < s ? ir(t.slice().reverse(), 3, er, Je(s / l)).reverse() : t;
}
function sr(e, t, n, r) {
	return r == null ? le : t == null ? "" : He(t);
}
var cr = {
	show: !0,
	scale: "y",
	stroke: D,
	space: 30,
	gap: 5,
	alignTo: 1,
	size: 50,
	labelGap: 0,
	labelSize: 30,
	labelFont: Wn,
	side: 3,
	grid: Bn,
	ticks: Vn,
	border: Hn,
	font: Un,
	lineGap: Gn,
	rotate: 0
};
function lr(e, t) {
	return B((3 + (e || 1) * 2) * t, 3);
}
function ur(e, t) {
	let { scale: n, idxs: r } = e.series[0], i = e._data[0], a = e.valToPos(i[r[0]], n, !0), o = Ge(e.valToPos(i[r[1]], n, !0) - a) / (e.series[t].points.space * j);
	return r[1] - r[0] <= o;
}
var dr = {
	scale: null,
	auto: !0,
	sorted: 0,
	min: nt,
	max: -Infinity
}, fr = (e, t, n, r, i) => i, pr = {
	show: !0,
	auto: !0,
	sorted: 0,
	gaps: fr,
	alpha: 1,
	facets: [Mt({}, dr, { scale: "x" }), Mt({}, dr, { scale: "y" })]
}, mr = {
	scale: "y",
	auto: !0,
	sorted: 0,
	show: !0,
	spanGaps: !1,
	gaps: fr,
	alpha: 1,
	points: {
		show: ur,
		filter: null
	},
	values: null,
	min: nt,
	max: -Infinity,
	idxs: [],
	path: null,
	clip: null
};
function hr(e, t, n, r, i) {
	return n / 10;
}
var gr = {
	time: e,
	auto: !0,
	distr: 1,
	log: 10,
	asinh: 1,
	min: null,
	max: null,
	dir: 1,
	ori: 0
}, _r = Mt({}, gr, {
	time: !1,
	ori: 1
}), vr = {};
function yr(e, t) {
	let n = vr[e];
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
	}, e != null && (vr[e] = n)), n;
}
var br = 1, xr = 2;
function Sr(e, t, n) {
	let r = e.mode, i = e.series[t], a = r == 2 ? e._data[t] : e._data, o = e.scales, s = e.bbox, c = a[0], l = r == 2 ? a[1] : a[t], u = r == 2 ? o[i.facets[0].scale] : o[e.series[0].scale], d = r == 2 ? o[i.facets[1].scale] : o[i.scale], f = s.left, p = s.top, m = s.width, h = s.height, g = e.valToPosH, _ = e.valToPosV;
	return u.ori == 0 ? n(i, c, l, u, d, g, _, f, p, m, h, Ar, Mr, Pr, Ir, Rr) : n(i, c, l, u, d, _, g, p, f, h, m, jr, Nr, Fr, Lr, zr);
}
function Cr(e, t) {
	let n = 0, r = 0, i = I(e.bands, xt);
	for (let e = 0; e < i.length; e++) {
		let a = i[e];
		a.series[0] == t ? n = a.dir : a.series[1] == t && (a.dir == 1 ? r |= 1 : r |= 2);
	}
	return [n, r == 1 ? -1 : r == 2 ? 1 : r == 3 ? 2 : 0];
}
function wr(e, t, n, r, i) {
	let a = e.mode, o = e.series[t], s = a == 2 ? o.facets[1].scale : o.scale, c = e.scales[s];
	return i == -1 ? c.min : i == 1 ? c.max : c.distr == 3 ? c.dir == 1 ? c.min : c.max : 0;
}
function G(e, t, n, r, i, a) {
	return Sr(e, t, (e, t, o, s, c, l, u, d, f, p, m) => {
		let h = e.pxRound, g = s.dir * (s.ori == 0 ? 1 : -1), _ = s.ori == 0 ? Mr : Nr, v, y;
		g == 1 ? (v = n, y = r) : (v = r, y = n);
		let b = h(l(t[v], s, p, d)), x = h(u(o[v], c, m, f)), S = h(l(t[y], s, p, d)), C = h(u(a == 1 ? c.max : c.min, c, m, f)), w = new Path2D(i);
		return _(w, S, C), _(w, b, C), _(w, b, x), w;
	});
}
function Tr(e, t, n, r, i, a) {
	let o = null;
	if (e.length > 0) {
		o = new Path2D();
		let s = t == 0 ? Pr : Fr, c = n;
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
function Er(e, t, n) {
	let r = e[e.length - 1];
	r && r[0] == t ? r[1] = n : e.push([t, n]);
}
function Dr(e, t, n, r, i, a, o) {
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
function Or(e) {
	return e == 0 ? st : e == 1 ? qe : (t) => mt(t, e);
}
function kr(e) {
	let t = e == 0 ? Ar : jr, n = e == 0 ? (e, t, n, r, i, a) => {
		e.arcTo(t, n, r, i, a);
	} : (e, t, n, r, i, a) => {
		e.arcTo(n, t, i, r, a);
	}, r = e == 0 ? (e, t, n, r, i) => {
		e.rect(t, n, r, i);
	} : (e, t, n, r, i) => {
		e.rect(n, t, i, r);
	};
	return (e, i, a, o, s, c = 0, l = 0) => {
		c == 0 && l == 0 ? r(e, i, a, o, s) : (c = Ye(c, o / 2, s / 2), l = Ye(l, o / 2, s / 2), t(e, i + c, a), n(e, i + o, a, i + o, a + s, c), n(e, i + o, a + s, i, a + s, l), n(e, i, a + s, i, a, l), n(e, i, a, i + o, a, c), e.closePath());
	};
}
var Ar = (e, t, n) => {
	e.moveTo(t, n);
}, jr = (e, t, n) => {
	e.moveTo(n, t);
}, Mr = (e, t, n) => {
	e.lineTo(t, n);
}, Nr = (e, t, n) => {
	e.lineTo(n, t);
}, Pr = kr(0), Fr = kr(1), Ir = (e, t, n, r, i, a) => {
	e.arc(t, n, r, i, a);
}, Lr = (e, t, n, r, i, a) => {
	e.arc(n, t, r, i, a);
}, Rr = (e, t, n, r, i, a, o) => {
	e.bezierCurveTo(t, n, r, i, a, o);
}, zr = (e, t, n, r, i, a, o) => {
	e.bezierCurveTo(n, t, i, r, o, a);
};
function Br(e) {
	return (e, t, n, r, i) => Sr(e, t, (t, a, o, s, c, l, u, d, f, p, m) => {
		let { pxRound: h, points: g } = t, _, v;
		s.ori == 0 ? (_ = Ar, v = Ir) : (_ = jr, v = Lr);
		let y = B(g.width * j, 3), b = (g.size - g.width) / 2 * j, x = B(b * 2, 3), S = new Path2D(), C = new Path2D(), { left: w, top: T, width: E, height: D } = e.bbox;
		Pr(C, w - x, T - x, E + x * 2, D + x * 2);
		let ee = (e) => {
			if (o[e] != null) {
				let t = h(l(a[e], s, p, d)), n = h(u(o[e], c, m, f));
				_(S, t + b, n), v(S, t, n, b, 0, We * 2);
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
function Vr(e) {
	return (t, n, r, i, a, o) => {
		r != i && (a != r && o != r && e(t, n, r), a != i && o != i && e(t, n, i), e(t, n, o));
	};
}
var Hr = Vr(Mr), Ur = Vr(Nr);
function Wr(e) {
	let t = I(e?.alignGaps, 0);
	return (e, n, r, i) => Sr(e, n, (a, o, s, c, l, u, d, f, p, m, h) => {
		[r, i] = Me(s, r, i);
		let g = a.pxRound, _ = (e) => g(u(e, c, m, f)), v = (e) => g(d(e, l, h, p)), y, b;
		c.ori == 0 ? (y = Mr, b = Hr) : (y = Nr, b = Ur);
		let x = c.dir * (c.ori == 0 ? 1 : -1), S = {
			stroke: new Path2D(),
			fill: null,
			clip: null,
			band: null,
			gaps: null,
			flags: br
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
		let [T, E] = Cr(e, n);
		if (a.fill != null || T != 0) {
			let t = S.fill = new Path2D(C), s = v(a.fillTo(e, n, a.min, a.max, T)), c = _(o[r]), l = _(o[i]);
			x == -1 && ([l, c] = [c, l]), y(t, l, s), y(t, c, s);
		}
		if (!a.spanGaps) {
			let l = [];
			w && l.push(...Dr(o, s, r, i, x, _, t)), S.gaps = l = a.gaps(e, n, r, i, l), S.clip = Tr(l, c.ori, f, p, m, h);
		}
		return E != 0 && (S.band = E == 2 ? [G(e, n, r, i, C, -1), G(e, n, r, i, C, 1)] : G(e, n, r, i, C, E)), S;
	});
}
function Gr(e) {
	let t = I(e.align, 1), n = I(e.ascDesc, !1), r = I(e.alignGaps, 0), i = I(e.extend, !1);
	return (e, a, o, s) => Sr(e, a, (c, l, u, d, f, p, m, h, g, _, v) => {
		[o, s] = Me(u, o, s);
		let y = c.pxRound, { left: b, width: x } = e.bbox, S = (e) => y(p(e, d, _, h)), C = (e) => y(m(e, f, v, g)), w = d.ori == 0 ? Mr : Nr, T = {
			stroke: new Path2D(),
			fill: null,
			clip: null,
			band: null,
			gaps: null,
			flags: br
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
		let [ae, oe] = Cr(e, a);
		if (c.fill != null || ae != 0) {
			let t = T.fill = new Path2D(E), n = C(c.fillTo(e, a, c.min, c.max, ae));
			w(t, ie, n), w(t, re, n);
		}
		if (!c.spanGaps) {
			let i = [];
			i.push(...Dr(l, u, o, s, D, S, r));
			let f = c.width * j / 2, p = n || t == 1 ? f : -f, m = n || t == -1 ? -f : f;
			i.forEach((e) => {
				e[0] += p, e[1] += m;
			}), T.gaps = i = c.gaps(e, a, o, s, i), T.clip = Tr(i, d.ori, h, g, _, v);
		}
		return oe != 0 && (T.band = oe == 2 ? [G(e, a, o, s, E, -1), G(e, a, o, s, E, 1)] : G(e, a, o, s, E, oe)), T;
	});
}
function Kr(e, t, n, r, i, a, o = nt) {
	if (e.length > 1) {
		let s = null;
		for (let c = 0, l = Infinity; c < e.length; c++) if (t[c] !== void 0) {
			if (s != null) {
				let t = Ge(e[c] - e[s]);
				t < l && (l = t, o = Ge(n(e[c], r, i, a) - n(e[s], r, i, a)));
			}
			s = c;
		}
	}
	return o;
}
function qr(e) {
	e ||= bt;
	let t = I(e.size, [
		.6,
		nt,
		1
	]), n = e.align || 0, r = e.gap || 0, i = e.radius;
	i = i == null ? [0, 0] : typeof i == "number" ? [i, 0] : i;
	let a = z(i), o = 1 - t[0], s = I(t[1], nt), c = I(t[2], 1), l = I(e.disp, bt), u = I(e.each, (e) => {}), { fill: d, stroke: f } = l;
	return (e, t, i, p) => Sr(e, t, (m, h, g, _, v, y, b, x, S, C, w) => {
		let T = m.pxRound, E = n, D = r * j, ee = s * j, te = c * j, ne, re;
		_.ori == 0 ? [ne, re] = a(e, t) : [re, ne] = a(e, t);
		let ie = _.dir * (_.ori == 0 ? 1 : -1), ae = _.ori == 0 ? Pr : Fr, oe = _.ori == 0 ? u : (e, t, n, r, i, a, o) => {
			u(e, t, n, i, r, o, a);
		}, se = I(e.bands, xt).find((e) => e.series[0] == t), O = se == null ? 0 : se.dir, k = m.fillTo(e, t, m.min, m.max, O), ce = T(b(k, v, w, S)), le, A, ue, de = C, fe = T(m.width * j), pe = !1, me = null, he = null, ge = null, M = null;
		d != null && (fe == 0 || f != null) && (pe = !0, me = d.values(e, t, i, p), he = /* @__PURE__ */ new Map(), new Set(me).forEach((e) => {
			e != null && he.set(e, new Path2D());
		}), fe > 0 && (ge = f.values(e, t, i, p), M = /* @__PURE__ */ new Map(), new Set(ge).forEach((e) => {
			e != null && M.set(e, new Path2D());
		})));
		let { x0: _e, size: ve } = l;
		if (_e != null && ve != null) {
			E = 1, h = _e.values(e, t, i, p), _e.unit == 2 && (h = h.map((t) => e.posToVal(x + t * C, _.key, !0)));
			let n = ve.values(e, t, i, p);
			A = ve.unit == 2 ? n[0] * C : y(n[0], _, C, x) - y(0, _, C, x), de = Kr(h, g, y, _, C, x, de), ue = de - A + D;
		} else de = Kr(h, g, y, _, C, x, de), ue = de * o + D, A = de - ue;
		ue < 1 && (ue = 0), fe >= A / 2 && (fe = 0), ue < 5 && (T = st);
		let ye = ue > 0, be = de - ue - (ye ? fe : 0);
		A = T(it(be, te, ee)), le = (E == 0 ? A / 2 : E == ie ? 0 : A) - E * ie * ((E == 0 ? D / 2 : 0) + (ye ? fe / 2 : 0));
		let xe = {
			stroke: null,
			fill: null,
			clip: null,
			band: null,
			gaps: null,
			flags: 0
		}, Se = pe ? null : new Path2D(), N = null;
		if (se != null) N = e.data[se.series[1]];
		else {
			let { y0: n, y1: r } = l;
			n != null && r != null && (g = r.values(e, t, i, p), N = n.values(e, t, i, p));
		}
		let Ce = ne * A, we = re * A;
		for (let n = ie == 1 ? i : p; n >= i && n <= p; n += ie) {
			let r = g[n];
			if (r == null) continue;
			if (N != null) {
				let e = N[n] ?? 0;
				if (r - e == 0) continue;
				ce = b(e, v, w, S);
			}
			let i = y(_.distr != 2 || l != null ? h[n] : n, _, C, x), a = b(I(r, k), v, w, S), o = T(i - le), s = T(Xe(a, ce)), c = T(Ye(a, ce)), u = s - c;
			if (r != null) {
				let i = r < 0 ? we : Ce, a = r < 0 ? Ce : we;
				pe ? (fe > 0 && ge[n] != null && ae(M.get(ge[n]), o, c + Ke(fe / 2), A, Xe(0, u - fe), i, a), me[n] != null && ae(he.get(me[n]), o, c + Ke(fe / 2), A, Xe(0, u - fe), i, a)) : ae(Se, o, c + Ke(fe / 2), A, Xe(0, u - fe), i, a), oe(e, t, n, o - fe / 2, c, A + fe, u);
			}
		}
		return fe > 0 ? xe.stroke = pe ? M : Se : pe || (xe._fill = m.width == 0 ? m._fill : m._stroke ?? m._fill, xe.width = 0), xe.fill = pe ? he : Se, xe;
	});
}
function Jr(e, t) {
	let n = I(t?.alignGaps, 0);
	return (t, r, i, a) => Sr(t, r, (o, s, c, l, u, d, f, p, m, h, g) => {
		[i, a] = Me(c, i, a);
		let _ = o.pxRound, v = (e) => _(d(e, l, h, p)), y = (e) => _(f(e, u, g, m)), b, x, S;
		l.ori == 0 ? (b = Ar, S = Mr, x = Rr) : (b = jr, S = Nr, x = zr);
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
			flags: br
		}, te = ee.stroke, [ne, re] = Cr(t, r);
		if (o.fill != null || ne != 0) {
			let e = ee.fill = new Path2D(te), n = y(o.fillTo(t, r, o.min, o.max, ne));
			S(e, T, n), S(e, w, n);
		}
		if (!o.spanGaps) {
			let e = [];
			e.push(...Dr(s, c, i, a, C, v, n)), ee.gaps = e = o.gaps(t, r, i, a, e), ee.clip = Tr(e, l.ori, p, m, h, g);
		}
		return re != 0 && (ee.band = re == 2 ? [G(t, r, i, a, te, -1), G(t, r, i, a, te, 1)] : G(t, r, i, a, te, re)), ee;
	});
}
function Yr(e) {
	return Jr(Xr, e);
}
function Xr(e, t, n, r, i, a) {
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
var Zr = /* @__PURE__ */ new Set();
function Qr() {
	for (let e of Zr) e.syncRect(!0);
}
A && (Ee(se, de, Qr), Ee(O, de, Qr, !0), Ee(ce, de, () => {
	mi.pxRatio = j;
}));
var $r = Wr(), ei = Br();
function ti(e, t, n, r) {
	return (r ? [e[0], e[1]].concat(e.slice(2)) : [e[0]].concat(e.slice(1))).map((e, r) => ri(e, r, t, n));
}
function ni(e, t) {
	return e.map((e, n) => n == 0 ? {} : Mt({}, t, e));
}
function ri(e, t, n, r) {
	return Mt({}, t == 0 ? n : r, e);
}
function ii(e, t, n) {
	return t == null ? St : [t, n];
}
var ai = ii;
function oi(e, t, n) {
	return t == null ? St : ze(t, n, Ie, !0);
}
function si(e, t, n, r) {
	return t == null ? St : Pe(t, n, e.scales[r].log, !1);
}
var ci = si;
function li(e, t, n, r) {
	return t == null ? St : Fe(t, n, e.scales[r].log, !1);
}
var ui = li;
function di(e, t, n, r, i) {
	let a = Xe(rt(e), rt(t)), o = t - e, s = Oe(i / r * o, n);
	do {
		let e = n[s], t = r * e / o;
		if (t >= i && a + (e < 5 ? _t.get(e) : 0) <= 17) return [e, t];
	} while (++s < n.length);
	return [0, 0];
}
function fi(e) {
	let t, n;
	return e = e.replace(/(\d+)px/, (e, r) => (t = qe((n = +r) * j)) + "px"), [
		e,
		t,
		n
	];
}
function pi(e) {
	e.show && [e.font, e.labelFont].forEach((e) => {
		let t = B(e[2] * j, 1);
		e[0] = e[0].replace(/[0-9.]+px/, t + "px"), e[1] = t;
	});
}
function mi(e, D, se) {
	let O = { mode: I(e.mode, 1) }, k = O.mode;
	function A(e, t, n, r) {
		let i = t.valToPct(e);
		return r + n * (t.dir == -1 ? 1 - i : i);
	}
	function fe(e, t, n, r) {
		let i = t.valToPct(e);
		return r + n * (t.dir == -1 ? i : 1 - i);
	}
	function pe(e, t, n, r) {
		return t.ori == 0 ? A(e, t, n, r) : fe(e, t, n, r);
	}
	O.valToPosH = A, O.valToPosV = fe;
	let me = !1;
	O.status = 0;
	let ye = O.root = ve(t);
	if (e.id != null && (ye.id = e.id), he(ye, e.class), e.title) {
		let t = ve(i, ye);
		t.textContent = e.title;
	}
	let xe = _e("canvas"), N = O.ctx = xe.getContext("2d"), we = ve(a, ye);
	Ee("click", we, (e) => {
		e.target === ke && (q != Ii || J != Li) && Vi.click(O, e);
	}, !0);
	let Te = O.under = ve(o, we);
	we.appendChild(xe);
	let ke = O.over = ve(s, we);
	e = jt(e);
	let Ae = +I(e.pxAlign, 1), je = Or(Ae);
	(e.plugins || []).forEach((t) => {
		t.opts && (e = t.opts(O, e) || e);
	});
	let Me = e.ms || .001, P = O.series = k == 1 ? ti(e.series || [], Yn, mr, !1) : ni(e.series || [null], pr), Re = O.axes = ti(e.axes || [], Kn, cr, !0), F = O.scales = {}, Ve = O.bands = e.bands || [];
	Ve.forEach((e) => {
		e.fill = z(e.fill || null), e.dir = I(e.dir, -1);
	});
	let L = k == 2 ? P[1].facets[0].scale : P[0].scale, He = {
		axes: xi,
		series: Jr
	}, Ue = (e.drawOrder || ["axes", "series"]).map((e) => He[e]);
	function Ke(e) {
		let t = e.distr == 3 ? (t) => $e(t > 0 ? t : e.clamp(O, t, e.min, e.max, e.key)) : e.distr == 4 ? (t) => tt(t, e.asinh) : e.distr == 100 ? (t) => e.fwd(t) : (e) => e;
		return (n) => {
			let r = t(n), { _min: i, _max: a } = e, o = a - i;
			return (r - i) / o;
		};
	}
	function Qe(t) {
		let n = F[t];
		if (n == null) {
			let r = (e.scales || bt)[t] || bt;
			if (r.from != null) {
				Qe(r.from);
				let e = Mt({}, F[r.from], r, { key: t });
				e.valToPct = Ke(e), F[t] = e;
			} else {
				n = F[t] = Mt({}, t == L ? gr : _r, r), n.key = t;
				let e = n.time, i = n.range, a = Ct(i);
				if ((t != L || k == 2 && !e) && (a && (i[0] == null || i[1] == null) && (i = {
					min: i[0] == null ? Le : {
						mode: 1,
						hard: i[0],
						soft: i[0]
					},
					max: i[1] == null ? Le : {
						mode: 1,
						hard: i[1],
						soft: i[1]
					}
				}, a = !1), !a && Dt(i))) {
					let e = i;
					i = (t, n, r) => n == null ? St : ze(n, r, e);
				}
				n.range = z(i || (e ? ai : t == L ? n.distr == 3 ? ci : n.distr == 4 ? ui : ii : n.distr == 3 ? si : n.distr == 4 ? li : oi)), n.auto = z(!a && n.auto), n.clamp = z(n.clamp || hr), n._min = n._max = null, n.valToPct = Ke(n);
			}
		}
	}
	Qe("x"), Qe("y"), k == 1 && P.forEach((e) => {
		Qe(e.scale);
	}), Re.forEach((e) => {
		Qe(e.scale);
	});
	for (let t in e.scales) Qe(t);
	let R = F[L], rt = R.distr, ot, st;
	R.ori == 0 ? (he(ye, n), ot = A, st = fe) : (he(ye, r), ot = fe, st = A);
	let ft = {};
	for (let e in F) {
		let t = F[e];
		(t.min != null || t.max != null) && (ft[e] = {
			min: t.min,
			max: t.max
		}, t.min = t.max = null);
	}
	let pt = e.tzDate || ((e) => new Date(qe(e / Me))), ht = e.fmtDate || Yt, gt = Me == 1 ? gn(pt) : yn(pt), yt = xn(pt, bn(Me == 1 ? hn : vn, ht)), wt = En(pt, wn(Tn, ht)), kt = [], At = O.legend = Mt({}, kn, e.legend), V = O.cursor = Mt({}, Rn, { drag: { y: k == 2 } }, e.cursor), Nt = At.show, Pt = V.show, Ft = At.markers;
	At.idxs = kt, Ft.width = z(Ft.width), Ft.dash = z(Ft.dash), Ft.stroke = z(Ft.stroke), Ft.fill = z(Ft.fill);
	let It, Rt, zt, Bt = [], Vt = [], Ht, Ut = !1, Wt = {};
	if (At.live) {
		let e = P[1] ? P[1].values : null;
		Ut = e != null, Ht = Ut ? e(O, 1, 0) : { _: 0 };
		for (let e in Ht) Wt[e] = le;
	}
	if (Nt) {
		if (It = _e("table", m, ye), zt = _e("tbody", null, It), At.mount(O, It), Ut) {
			Rt = _e("thead", null, It, zt);
			let e = _e("tr", null, Rt);
			for (var Gt in _e("th", null, e), Ht) _e("th", y, e).textContent = Gt;
		} else he(It, g), At.live && he(It, h);
	}
	let Kt = { show: !0 }, qt = { show: !1 };
	function Jt(e, t) {
		if (t == 0 && (Ut || !At.live || k == 2)) return St;
		let n = [], r = _e("tr", _, zt, zt.childNodes[t]);
		he(r, e.class), e.show || he(r, l);
		let i = _e("th", null, r);
		if (Ft.show) {
			let e = ve(v, i);
			if (t > 0) {
				let n = Ft.width(O, t);
				n && (e.style.border = n + "px " + Ft.dash(O, t) + " " + Ft.stroke(O, t)), e.style.background = Ft.fill(O, t);
			}
		}
		let a = ve(y, i);
		for (var o in e.label instanceof HTMLElement ? a.appendChild(e.label) : a.textContent = e.label, t > 0 && (Ft.show || (a.style.color = e.width > 0 ? Ft.stroke(O, t) : Ft.fill(O, t)), Zt("click", i, (t) => {
			if (V._lock) return;
			zn(t);
			let n = P.indexOf(e);
			if ((t.ctrlKey || t.metaKey) != At.isolate) {
				let e = P.some((e, t) => t > 0 && t != n && e.show);
				P.forEach((t, r) => {
					r > 0 && Ji(r, e ? r == n ? Kt : qt : Kt, !0, Ma.setSeries);
				});
			} else Ji(n, { show: !e.show }, !0, Ma.setSeries);
		}, !1), Hn && Zt(ie, i, (t) => {
			V._lock || (zn(t), Ji(P.indexOf(e), na, !0, Ma.setSeries));
		}, !1)), Ht) {
			let e = _e("td", b, r);
			e.textContent = "--", n.push(e);
		}
		return [r, n];
	}
	let Xt = /* @__PURE__ */ new Map();
	function Zt(e, t, n, r = !0) {
		let i = Xt.get(t) || {}, a = V.bind[e](O, t, n, r);
		a && (Ee(e, t, i[e] = a), Xt.set(t, i));
	}
	function Qt(e, t, n) {
		let r = Xt.get(t) || {};
		for (let n in r) (e == null || n == e) && (De(n, t, r[n]), delete r[n]);
		e ?? Xt.delete(t);
	}
	let $t = 0, en = 0, H = 0, U = 0, rn = 0, an = 0, on = rn, sn = an, cn = H, ln = U, un = 0, dn = 0, fn = 0, W = 0;
	O.bbox = {};
	let pn = !1, Cn = !1, Dn = !1, On = !1, An = !1, jn = !1;
	function Mn(e, t, n) {
		(n || e != O.width || t != O.height) && Nn(e, t), Si(!1), Dn = !0, Cn = !0, K();
	}
	function Nn(e, t) {
		O.width = $t = H = e, O.height = en = U = t, rn = an = 0, In(), Ln();
		let n = O.bbox;
		un = n.left = mt(rn * j, .5), dn = n.top = mt(an * j, .5), fn = n.width = mt(H * j, .5), W = n.height = mt(U * j, .5);
	}
	function Pn() {
		let e = !1, t = 0;
		for (; !e;) {
			t++;
			let n = yi(t), r = bi(t);
			e = t == 3 || n && r, e || (Nn(O.width, O.height), Cn = !0);
		}
	}
	function Fn({ width: e, height: t }) {
		Mn(e, t);
	}
	O.setSize = Fn;
	function In() {
		let e = !1, t = !1, n = !1, r = !1;
		Re.forEach((i, a) => {
			if (i.show && i._show) {
				let { side: a, _size: o } = i, s = a % 2, c = o + (i.label == null ? 0 : i.labelSize);
				c > 0 && (s ? (H -= c, a == 3 ? (rn += c, r = !0) : n = !0) : (U -= c, a == 0 ? (an += c, e = !0) : t = !0));
			}
		}), ur[0] = e, ur[1] = n, ur[2] = t, ur[3] = r, H -= Sr[1] + Sr[3], rn += Sr[3], U -= Sr[2] + Sr[0], an += Sr[0];
	}
	function Ln() {
		let e = rn + H, t = an + U, n = rn, r = an;
		function i(i, a) {
			switch (i) {
				case 1: return e += a, e - a;
				case 2: return t += a, t - a;
				case 3: return n -= a, n + a;
				case 0: return r -= a, r + a;
			}
		}
		Re.forEach((e, t) => {
			if (e.show && e._show) {
				let t = e.side;
				e._pos = i(t, e._size), e.label != null && (e._lpos = i(t, e.labelSize));
			}
		});
	}
	if (V.dataIdx == null) {
		let e = V.hover, t = e.skip = new Set(e.skip ?? []);
		t.add(void 0);
		let n = e.prox = z(e.prox), r = e.bias ??= 0;
		V.dataIdx = (e, i, a, o) => {
			if (i == 0) return a;
			let s = a, c = n(e, i, a, o) ?? nt, l = c >= 0 && c < nt, u = R.ori == 0 ? H : U, d = V.left, f = D[0], p = D[i];
			if (t.has(p[a])) {
				s = null;
				let e = null, n = null, i;
				if (r == 0 || r == -1) for (i = a; e == null && i-- > 0;) t.has(p[i]) || (e = i);
				if (r == 0 || r == 1) for (i = a; n == null && i++ < p.length;) t.has(p[i]) || (n = i);
				if (e != null || n != null) {
					if (l) {
						let t = e == null ? -Infinity : ot(f[e], R, u, 0), r = n == null ? Infinity : ot(f[n], R, u, 0), i = d - t, a = r - d;
						i <= a ? i <= c && (s = e) : a <= c && (s = n);
					} else s = n == null ? e : e == null ? n : a - e <= n - a ? e : n;
				}
			} else l && Ge(d - ot(f[a], R, u, 0)) > c && (s = null);
			return s;
		};
	}
	let zn = (e) => {
		V.event = e;
	};
	V.idxs = kt, V._lock = !1;
	let Bn = V.points;
	Bn.show = z(Bn.show), Bn.size = z(Bn.size), Bn.stroke = z(Bn.stroke), Bn.width = z(Bn.width), Bn.fill = z(Bn.fill);
	let Vn = O.focus = Mt({}, e.focus || { alpha: .3 }, V.focus), Hn = Vn.prox >= 0, Un = Hn && Bn.one, Wn = [], Gn = [], er = [];
	function tr(e, t) {
		let n = Bn.show(O, t);
		if (n instanceof HTMLElement) return he(n, p), he(n, e.class), be(n, -10, -10, H, U), ke.insertBefore(n, Wn[t]), n;
	}
	function nr(e, t) {
		if (k == 1 || t > 0) {
			let t = k == 1 && F[e.scale].time, n = e.value;
			e.value = t ? Et(n) ? En(pt, wn(n, ht)) : n || wt : n || sr, e.label = e.label || (t ? Jn : qn);
		}
		if (Un || t > 0) {
			e.width = e.width == null ? 1 : e.width, e.paths = e.paths || $r || lt, e.fillTo = z(e.fillTo || wr), e.pxAlign = +I(e.pxAlign, Ae), e.pxRound = Or(e.pxAlign), e.stroke = z(e.stroke || null), e.fill = z(e.fill || null), e._stroke = e._fill = e._paths = e._focus = null;
			let t = lr(Xe(1, e.width), 1), n = e.points = Mt({}, {
				size: t,
				width: Xe(1, t * .2),
				stroke: e.stroke,
				space: t * 2,
				paths: ei,
				_stroke: null,
				_fill: null
			}, e.points);
			n.show = z(n.show), n.filter = z(n.filter), n.fill = z(n.fill), n.stroke = z(n.stroke), n.paths = z(n.paths), n.pxAlign = e.pxAlign;
		}
		if (Nt) {
			let n = Jt(e, t);
			Bt.splice(t, 0, n[0]), Vt.splice(t, 0, n[1]), At.values.push(null);
		}
		if (Pt) {
			kt.splice(t, 0, null);
			let n = null;
			Un ? t == 0 && (n = tr(e, t)) : t > 0 && (n = tr(e, t)), Wn.splice(t, 0, n), Gn.splice(t, 0, 0), er.splice(t, 0, 0);
		}
		Aa("addSeries", t);
	}
	function rr(e, t) {
		t ??= P.length, e = k == 1 ? ri(e, t, Yn, mr) : ri(e, t, {}, pr), P.splice(t, 0, e), nr(P[t], t);
	}
	O.addSeries = rr;
	function ir(e) {
		if (P.splice(e, 1), Nt) {
			At.values.splice(e, 1), Vt.splice(e, 1);
			let t = Bt.splice(e, 1)[0];
			Qt(null, t.firstChild), t.remove();
		}
		Pt && (kt.splice(e, 1), Wn.splice(e, 1)[0].remove(), Gn.splice(e, 1), er.splice(e, 1)), Aa("delSeries", e);
	}
	O.delSeries = ir;
	let ur = [
		!1,
		!1,
		!1,
		!1
	];
	function dr(e, t) {
		if (e._show = e.show, e.show) {
			let n = e.side % 2, r = F[e.scale];
			r ??= (e.scale = n ? P[1].scale : L, F[e.scale]);
			let i = r.time;
			e.size = z(e.size), e.space = z(e.space), e.rotate = z(e.rotate), Ct(e.incrs) && e.incrs.forEach((e) => {
				!_t.has(e) && _t.set(e, vt(e));
			}), e.incrs = z(e.incrs || (r.distr == 2 ? tn : i ? Me == 1 ? mn : _n : nn)), e.splits = z(e.splits || (i && r.distr == 1 ? gt : r.distr == 3 ? Qn : r.distr == 4 ? $n : Zn)), e.stroke = z(e.stroke), e.grid.stroke = z(e.grid.stroke), e.ticks.stroke = z(e.ticks.stroke), e.border.stroke = z(e.border.stroke);
			let a = e.values;
			e.values = Ct(a) && !Ct(a[0]) ? z(a) : i ? Ct(a) ? xn(pt, bn(a, ht)) : Et(a) ? Sn(pt, a) : a || yt : a || Xn, e.filter = z(e.filter || (r.distr >= 3 && r.log == 10 ? ar : r.distr == 3 && r.log == 2 ? or : ct)), e.font = fi(e.font), e.labelFont = fi(e.labelFont), e._size = e.size(O, null, t, 0), e._space = e._rotate = e._incrs = e._found = e._splits = e._values = null, e._size > 0 && (ur[t] = !0, e._el = ve(c, we));
		}
	}
	function fr(e, t, n, r) {
		let [i, a, o, s] = n, c = t % 2, l = 0;
		return c == 0 && (s || a) && (l = t == 0 && !i || t == 2 && !o ? qe(Kn.size / 3) : 0), c == 1 && (i || o) && (l = t == 1 && !a || t == 3 && !s ? qe(cr.size / 2) : 0), l;
	}
	let vr = O.padding = (e.padding || [
		fr,
		fr,
		fr,
		fr
	]).map((e) => z(I(e, fr))), Sr = O._padding = vr.map((e, t) => e(O, t, ur, 0)), Cr, G = null, Tr = null, Er = k == 1 ? P[0].idxs : null, Dr = null, kr = !1;
	function Ar(e, t) {
		if (D = e ?? [], O.data = O._data = D, k == 2) {
			Cr = 0;
			for (let e = 1; e < P.length; e++) Cr += D[e][0].length;
		} else {
			D.length == 0 && (O.data = O._data = D = [[]]), Dr = D[0], Cr = Dr.length;
			let e = D;
			if (rt == 2) {
				e = D.slice();
				let t = e[0] = Array(Cr);
				for (let e = 0; e < Cr; e++) t[e] = e;
			}
			O._data = D = e;
		}
		if (Si(!0), Aa("setData"), rt == 2 && (Dn = !0), t !== !1) {
			let e = R;
			e.auto(O, kr) ? jr() : qi(L, e.min, e.max), On ||= V.left >= 0, jn = !0, K();
		}
	}
	O.setData = Ar;
	function jr() {
		kr = !0;
		let e, t;
		k == 1 && (Cr > 0 ? (G = Er[0] = 0, Tr = Er[1] = Cr - 1, e = D[0][G], t = D[0][Tr], rt == 2 ? (e = G, t = Tr) : e == t && (rt == 3 ? [e, t] = Pe(e, e, R.log, !1) : rt == 4 ? [e, t] = Fe(e, e, R.log, !1) : R.time ? t = e + qe(86400 / Me) : [e, t] = ze(e, t, Ie, !0))) : (G = Er[0] = e = null, Tr = Er[1] = t = null)), qi(L, e, t);
	}
	let Mr, Nr, Pr, Fr, Ir, Lr, Rr, zr, Br, Vr;
	function Hr(e, t, n, r, i, a) {
		e ??= ee, n ??= xt, r ??= "butt", i ??= ee, a ??= "round", e != Mr && (N.strokeStyle = Mr = e), i != Nr && (N.fillStyle = Nr = i), t != Pr && (N.lineWidth = Pr = t), a != Ir && (N.lineJoin = Ir = a), r != Lr && (N.lineCap = Lr = r), n != Fr && N.setLineDash(Fr = n);
	}
	function Ur(e, t, n, r) {
		t != Nr && (N.fillStyle = Nr = t), e != Rr && (N.font = Rr = e), n != zr && (N.textAlign = zr = n), r != Br && (N.textBaseline = Br = r);
	}
	function Wr(e, t, n, r, i = 0) {
		if (r.length > 0 && e.auto(O, kr) && (t == null || t.min == null)) {
			let t = I(G, 0), a = I(Tr, r.length - 1), o = n.min == null ? Ne(r, t, a, i, e.distr == 3) : [n.min, n.max];
			e.min = Ye(e.min, n.min = o[0]), e.max = Xe(e.max, n.max = o[1]);
		}
	}
	let Gr = {
		min: null,
		max: null
	};
	function Kr() {
		for (let e in F) {
			let t = F[e];
			ft[e] == null && (t.min == null || ft[L] != null && t.auto(O, kr)) && (ft[e] = Gr);
		}
		for (let e in F) {
			let t = F[e];
			ft[e] == null && t.from != null && ft[t.from] != null && (ft[e] = Gr);
		}
		ft[L] != null && Si(!0);
		let e = {};
		for (let t in ft) {
			let n = ft[t];
			if (n != null) {
				let r = e[t] = jt(F[t], Ot);
				if (n.min != null) Mt(r, n);
				else if (t != L || k == 2) {
					if (Cr == 0 && r.from == null) {
						let e = r.range(O, null, null, t);
						r.min = e[0], r.max = e[1];
					} else r.min = nt, r.max = -Infinity;
				}
			}
		}
		if (Cr > 0) {
			P.forEach((t, n) => {
				if (k == 1) {
					let r = t.scale, i = ft[r];
					if (i == null) return;
					let a = e[r];
					if (n == 0) {
						let e = a.range(O, a.min, a.max, r);
						a.min = e[0], a.max = e[1], G = Oe(a.min, D[0]), Tr = Oe(a.max, D[0]), Tr - G > 1 && (D[0][G] < a.min && G++, D[0][Tr] > a.max && Tr--), t.min = Dr[G], t.max = Dr[Tr];
					} else t.show && t.auto && Wr(a, i, t, D[n], t.sorted);
					t.idxs[0] = G, t.idxs[1] = Tr;
				} else if (n > 0 && t.show && t.auto) {
					let [r, i] = t.facets, a = r.scale, o = i.scale, [s, c] = D[n], l = e[a], u = e[o];
					l != null && Wr(l, ft[a], r, s, r.sorted), u != null && Wr(u, ft[o], i, c, i.sorted), t.min = i.min, t.max = i.max;
				}
			});
			for (let t in e) {
				let n = e[t], r = ft[t];
				if (n.from == null && (r == null || r.min == null)) {
					let e = n.range(O, n.min == nt ? null : n.min, n.max == -Infinity ? null : n.max, t);
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
			let i = e[r], a = F[r];
			if (a.min != i.min || a.max != i.max) {
				a.min = i.min, a.max = i.max;
				let e = a.distr;
				a._min = e == 3 ? $e(a.min) : e == 4 ? tt(a.min, a.asinh) : e == 100 ? a.fwd(a.min) : a.min, a._max = e == 3 ? $e(a.max) : e == 4 ? tt(a.max, a.asinh) : e == 100 ? a.fwd(a.max) : a.max, t[r] = n = !0;
			}
		}
		if (n) {
			P.forEach((e, n) => {
				k == 2 ? n > 0 && t.y && (e._paths = null) : t[e.scale] && (e._paths = null);
			});
			for (let e in t) Dn = !0, Aa("setScale", e);
			Pt && V.left >= 0 && (On = jn = !0);
		}
		for (let e in ft) ft[e] = null;
	}
	function qr(e) {
		let t = it(G - 1, 0, Cr - 1), n = it(Tr + 1, 0, Cr - 1);
		for (; e[t] == null && t > 0;) t--;
		for (; e[n] == null && n < Cr - 1;) n++;
		return [t, n];
	}
	function Jr() {
		if (Cr > 0) {
			let e = P.some((e) => e._focus) && Vr != Vn.alpha;
			e && (N.globalAlpha = Vr = Vn.alpha), P.forEach((e, t) => {
				if (t > 0 && e.show && (Yr(t, !1), Yr(t, !0), e._paths == null)) {
					let n = Vr;
					Vr != e.alpha && (N.globalAlpha = Vr = e.alpha);
					let r = k == 2 ? [0, D[t][0].length - 1] : qr(D[t]);
					e._paths = e.paths(O, t, r[0], r[1]), Vr != n && (N.globalAlpha = Vr = n);
				}
			}), P.forEach((e, t) => {
				if (t > 0 && e.show) {
					let n = Vr;
					Vr != e.alpha && (N.globalAlpha = Vr = e.alpha), e._paths != null && Xr(t, !1);
					{
						let n = e._paths == null ? null : e._paths.gaps, r = e.points.show(O, t, G, Tr, n), i = e.points.filter(O, t, r, n);
						(r || i) && (e.points._paths = e.points.paths(O, t, G, Tr, i), Xr(t, !0));
					}
					Vr != n && (N.globalAlpha = Vr = n), Aa("drawSeries", t);
				}
			}), e && (N.globalAlpha = Vr = 1);
		}
	}
	function Yr(e, t) {
		let n = t ? P[e].points : P[e];
		n._stroke = n.stroke(O, e), n._fill = n.fill(O, e);
	}
	function Xr(e, t) {
		let n = t ? P[e].points : P[e], { stroke: r, fill: i, clip: a, flags: o, _stroke: s = n._stroke, _fill: c = n._fill, _width: l = n.width } = n._paths;
		l = B(l * j, 3);
		let u = null, d = l % 2 / 2;
		t && c == null && (c = l > 0 ? "#fff" : s);
		let f = n.pxAlign == 1 && d > 0;
		if (f && N.translate(d, d), !t) {
			let e = un - l / 2, t = dn - l / 2, n = fn + l, r = W + l;
			u = new Path2D(), u.rect(e, t, n, r);
		}
		t ? mi(s, l, n.dash, n.cap, c, r, i, o, a) : Qr(e, s, l, n.dash, n.cap, c, r, i, o, u, a), f && N.translate(-d, -d);
	}
	function Qr(e, t, n, r, i, a, o, s, c, l, u) {
		let d = !1;
		c != 0 && Ve.forEach((f, p) => {
			if (f.series[0] == e) {
				let e = P[f.series[1]], m = D[f.series[1]], h = (e._paths || bt).band;
				Ct(h) && (h = f.dir == 1 ? h[0] : h[1]);
				let g, _ = null;
				e.show && h && Be(m, G, Tr) ? (_ = f.fill(O, p) || a, g = e._paths.clip) : h = null, mi(t, n, r, i, _, o, s, c, l, u, g, h), d = !0;
			}
		}), d || mi(t, n, r, i, a, o, s, c, l, u);
	}
	function mi(e, t, n, r, i, a, o, s, c, l, u, d) {
		Hr(e, t, n, r, i), (c || l || d) && (N.save(), c && N.clip(c), l && N.clip(l)), d ? (s & 3) == 3 ? (N.clip(d), u && N.clip(u), gi(i, o), hi(e, a, t)) : s & xr ? (gi(i, o), N.clip(d), hi(e, a, t)) : s & br && (N.save(), N.clip(d), u && N.clip(u), gi(i, o), N.restore(), hi(e, a, t)) : (gi(i, o), hi(e, a, t)), (c || l || d) && N.restore();
	}
	function hi(e, t, n) {
		n > 0 && (t instanceof Map ? t.forEach((e, t) => {
			N.strokeStyle = Mr = t, N.stroke(e);
		}) : t != null && e && N.stroke(t));
	}
	function gi(e, t) {
		t instanceof Map ? t.forEach((e, t) => {
			N.fillStyle = Nr = t, N.fill(e);
		}) : t != null && e && N.fill(t);
	}
	function _i(e, t, n, r) {
		let i = Re[e], a;
		if (r <= 0) a = [0, 0];
		else {
			let o = i._space = i.space(O, e, t, n, r);
			a = di(t, n, i._incrs = i.incrs(O, e, t, n, r, o), r, o);
		}
		return i._found = a;
	}
	function vi(e, t, n, r, i, a, o, s, c, l) {
		let u = o % 2 / 2;
		Ae == 1 && N.translate(u, u), Hr(s, o, c, l, s), N.beginPath();
		let d, f, p, m, h = i + (r == 0 || r == 3 ? -a : a);
		n == 0 ? (f = i, m = h) : (d = i, p = h);
		for (let r = 0; r < e.length; r++) t[r] != null && (n == 0 ? d = p = e[r] : f = m = e[r], N.moveTo(d, f), N.lineTo(p, m));
		N.stroke(), Ae == 1 && N.translate(-u, -u);
	}
	function yi(e) {
		let t = !0;
		return Re.forEach((n, r) => {
			if (!n.show) return;
			let i = F[n.scale];
			if (i.min == null) {
				n._show && (t = !1, n._show = !1, Si(!1));
				return;
			}
			n._show || (t = !1, n._show = !0, Si(!1));
			let a = n.side, o = a % 2, { min: s, max: c } = i, [l, u] = _i(r, s, c, o == 0 ? H : U);
			if (u == 0) return;
			let d = i.distr == 2, f = n._splits = n.splits(O, r, s, c, l, u, d), p = i.distr == 2 ? f.map((e) => Dr[e]) : f, m = i.distr == 2 ? Dr[f[1]] - Dr[f[0]] : l, h = n._values = n.values(O, n.filter(O, p, r, u, m), r, u, m);
			n._rotate = a == 2 ? n.rotate(O, h, r, u) : 0;
			let g = n._size;
			n._size = Je(n.size(O, h, r, e)), g != null && n._size != g && (t = !1);
		}), t;
	}
	function bi(e) {
		let t = !0;
		return vr.forEach((n, r) => {
			let i = n(O, r, ur, e);
			i != Sr[r] && (t = !1), Sr[r] = i;
		}), t;
	}
	function xi() {
		for (let e = 0; e < Re.length; e++) {
			let t = Re[e];
			if (!t.show || !t._show) continue;
			let n = t.side, r = n % 2, i, a, o = t.stroke(O, e), s = n == 0 || n == 3 ? -1 : 1, [c, l] = t._found;
			if (t.label != null) {
				let u = t.labelGap * s, d = qe((t._lpos + u) * j);
				Ur(t.labelFont[0], o, "center", n == 2 ? C : w), N.save(), r == 1 ? (i = a = 0, N.translate(d, qe(dn + W / 2)), N.rotate((n == 3 ? -We : We) / 2)) : (i = qe(un + fn / 2), a = d);
				let f = at(t.label) ? t.label(O, e, c, l) : t.label;
				N.fillText(f, i, a), N.restore();
			}
			if (l == 0) continue;
			let u = F[t.scale], d = r == 0 ? fn : W, f = r == 0 ? un : dn, p = t._splits, m = u.distr == 2 ? p.map((e) => Dr[e]) : p, h = u.distr == 2 ? Dr[p[1]] - Dr[p[0]] : c, g = t.ticks, _ = t.border, v = g.show ? g.size : 0, y = qe(v * j), b = qe((t.alignTo == 2 ? t._size - v - t.gap : t.gap) * j), x = t._rotate * -We / 180, S = je(t._pos * j), D = S + (y + b) * s;
			a = r == 0 ? D : 0, i = r == 1 ? D : 0;
			let ee = t.font[0];
			Ur(ee, o, t.align == 1 ? T : t.align == 2 ? E : x > 0 ? T : x < 0 ? E : r == 0 ? "center" : n == 3 ? E : T, x || r == 1 ? "middle" : n == 2 ? C : w);
			let te = t.font[1] * t.lineGap, ne = p.map((e) => je(pe(e, u, d, f))), re = t._values;
			for (let e = 0; e < re.length; e++) {
				let t = re[e];
				if (t != null) {
					r == 0 ? i = ne[e] : a = ne[e], t = "" + t;
					let n = t.indexOf("\n") == -1 ? [t] : t.split(/\n/gm);
					for (let e = 0; e < n.length; e++) {
						let t = n[e];
						x ? (N.save(), N.translate(i, a + e * te), N.rotate(x), N.fillText(t, 0, 0), N.restore()) : N.fillText(t, i, a + e * te);
					}
				}
			}
			g.show && vi(ne, g.filter(O, m, e, l, h), r, n, S, y, B(g.width * j, 3), g.stroke(O, e), g.dash, g.cap);
			let ie = t.grid;
			ie.show && vi(ne, ie.filter(O, m, e, l, h), r, r == 0 ? 2 : 1, r == 0 ? dn : un, r == 0 ? W : fn, B(ie.width * j, 3), ie.stroke(O, e), ie.dash, ie.cap), _.show && vi([S], [1], +(r == 0), r == 0 ? 1 : 2, r == 1 ? dn : un, r == 1 ? W : fn, B(_.width * j, 3), _.stroke(O, e), _.dash, _.cap);
		}
		Aa("drawAxes");
	}
	function Si(e) {
		P.forEach((t, n) => {
			n > 0 && (t._paths = null, e && (k == 1 ? (t.min = null, t.max = null) : t.facets.forEach((e) => {
				e.min = null, e.max = null;
			})));
		});
	}
	let Ci = !1, wi = !1, Ti = [];
	function Ei() {
		wi = !1;
		for (let e = 0; e < Ti.length; e++) Aa(...Ti[e]);
		Ti.length = 0;
	}
	function K() {
		Ci ||= (Lt(Oi), !0);
	}
	function Di(e, t = !1) {
		Ci = !0, wi = t, e(O), Oi(), t && Ti.length > 0 && queueMicrotask(Ei);
	}
	O.batch = Di;
	function Oi() {
		if (pn &&= (Kr(), !1), Dn &&= (Pn(), !1), Cn) {
			if (M(Te, T, rn), M(Te, C, an), M(Te, x, H), M(Te, S, U), M(ke, T, rn), M(ke, C, an), M(ke, x, H), M(ke, S, U), M(we, x, $t), M(we, S, en), xe.width = qe($t * j), xe.height = qe(en * j), Re.forEach(({ _el: e, _show: t, _size: n, _pos: r, side: i }) => {
				if (e != null) {
					if (t) {
						let t = i === 3 || i === 0 ? n : 0, a = i % 2 == 1;
						M(e, a ? "left" : "top", r - t), M(e, a ? "width" : "height", n), M(e, a ? "top" : "left", a ? an : rn), M(e, a ? "height" : "width", a ? U : H), ge(e, l);
					} else he(e, l);
				}
			}), Mr = Nr = Pr = Ir = Lr = Rr = zr = Br = Fr = null, Vr = 1, ha(!0), rn != on || an != sn || H != cn || U != ln) {
				Si(!1);
				let e = H / cn, t = U / ln;
				if (Pt && !On && V.left >= 0) {
					V.left *= e, V.top *= t, Mi && be(Mi, qe(V.left), 0, H, U), Ni && be(Ni, 0, qe(V.top), H, U);
					for (let n = 0; n < Wn.length; n++) {
						let r = Wn[n];
						r != null && (Gn[n] *= e, er[n] *= t, be(r, Je(Gn[n]), Je(er[n]), H, U));
					}
				}
				if (Y.show && !An && Y.left >= 0 && Y.width > 0) {
					Y.left *= e, Y.width *= e, Y.top *= t, Y.height *= t;
					for (let e in va) M(Wi, e, Y[e]);
				}
				on = rn, sn = an, cn = H, ln = U;
			}
			Aa("setSize"), Cn = !1;
		}
		$t > 0 && en > 0 && (N.clearRect(0, 0, xe.width, xe.height), Aa("drawClear"), Ue.forEach((e) => e()), Aa("draw")), Y.show && An && (Gi(Y), An = !1), Pt && On && (pa(null, !0, !1), On = !1), At.show && At.live && jn && (da(), jn = !1), me || (me = !0, O.status = 1, Aa("ready")), kr = !1, Ci = !1;
	}
	O.redraw = (e, t) => {
		Dn = t || !1, e === !1 ? K() : qi(L, R.min, R.max);
	};
	function ki(e, t) {
		let n = F[e];
		if (n.from == null) {
			if (Cr == 0) {
				let r = n.range(O, t.min, t.max, e);
				t.min = r[0], t.max = r[1];
			}
			if (t.min > t.max) {
				let e = t.min;
				t.min = t.max, t.max = e;
			}
			if (Cr > 1 && t.min != null && t.max != null && t.max - t.min < 1e-16) return;
			e == L && n.distr == 2 && Cr > 0 && (t.min = Oe(t.min, D[0]), t.max = Oe(t.max, D[0]), t.min == t.max && t.max++), ft[e] = t, pn = !0, K();
		}
	}
	O.setScale = ki;
	let Ai, ji, Mi, Ni, Pi, Fi, Ii, Li, Ri, zi, q, J, Bi = !1, Vi = V.drag, Hi = Vi.x, Ui = Vi.y;
	Pt && (V.x && (Ai = ve(d, ke)), V.y && (ji = ve(f, ke)), R.ori == 0 ? (Mi = Ai, Ni = ji) : (Mi = ji, Ni = Ai), q = V.left, J = V.top);
	let Y = O.select = Mt({
		show: !0,
		over: !0,
		left: 0,
		width: 0,
		top: 0,
		height: 0
	}, e.select), Wi = Y.show ? ve(u, Y.over ? ke : Te) : null;
	function Gi(e, t) {
		if (Y.show) {
			for (let t in e) Y[t] = e[t], t in va && M(Wi, t, e[t]);
			t !== !1 && Aa("setSelect");
		}
	}
	O.setSelect = Gi;
	function Ki(e) {
		if (P[e].show) Nt && ge(Bt[e], l);
		else if (Nt && he(Bt[e], l), Pt) {
			let t = Un ? Wn[0] : Wn[e];
			t != null && be(t, -10, -10, H, U);
		}
	}
	function qi(e, t, n) {
		ki(e, {
			min: t,
			max: n
		});
	}
	function Ji(e, t, n, r) {
		t.focus != null && ra(e), t.show != null && P.forEach((n, r) => {
			r > 0 && (e == r || e == null) && (n.show = t.show, Ki(r), k == 2 ? (qi(n.facets[0].scale, null, null), qi(n.facets[1].scale, null, null)) : qi(n.scale, null, null), K());
		}), n !== !1 && Aa("setSeries", e, t), r && Fa("setSeries", O, e, t);
	}
	O.setSeries = Ji;
	function Yi(e, t) {
		Mt(Ve[e], t);
	}
	function Xi(e, t) {
		e.fill = z(e.fill || null), e.dir = I(e.dir, -1), t ??= Ve.length, Ve.splice(t, 0, e);
	}
	function Zi(e) {
		e == null ? Ve.length = 0 : Ve.splice(e, 1);
	}
	O.addBand = Xi, O.setBand = Yi, O.delBand = Zi;
	function Qi(e, t) {
		P[e].alpha = t, Pt && Wn[e] != null && (Wn[e].style.opacity = t), Nt && Bt[e] && (Bt[e].style.opacity = t);
	}
	let $i, ea, ta, na = { focus: !0 };
	function ra(e) {
		if (e != ta) {
			let t = e == null, n = Vn.alpha != 1;
			P.forEach((r, i) => {
				if (k == 1 || i > 0) {
					let a = t || i == 0 || i == e;
					r._focus = t ? null : a, n && Qi(i, a ? 1 : Vn.alpha);
				}
			}), ta = e, n && K();
		}
	}
	Nt && Hn && Zt(ae, It, (e) => {
		V._lock || (zn(e), ta != null && Ji(null, na, !0, Ma.setSeries));
	});
	function ia(e, t, n) {
		let r = F[t];
		n && (e = e / j - (r.ori == 1 ? an : rn));
		let i = H;
		r.ori == 1 && (i = U, e = i - e), r.dir == -1 && (e = i - e);
		let a = r._min, o = r._max, s = e / i, c = a + (o - a) * s, l = r.distr;
		return l == 3 ? Ze(10, c) : l == 4 ? et(c, r.asinh) : l == 100 ? r.bwd(c) : c;
	}
	function aa(e, t) {
		return Oe(ia(e, L, t), D[0], G, Tr);
	}
	O.valToIdx = (e) => Oe(e, D[0]), O.posToIdx = aa, O.posToVal = ia, O.valToPos = (e, t, n) => F[t].ori == 0 ? A(e, F[t], n ? fn : H, n ? un : 0) : fe(e, F[t], n ? W : U, n ? dn : 0), O.setCursor = (e, t, n) => {
		q = e.left, J = e.top, pa(null, t, n);
	};
	function oa(e, t) {
		M(Wi, T, Y.left = e), M(Wi, x, Y.width = t);
	}
	function sa(e, t) {
		M(Wi, C, Y.top = e), M(Wi, S, Y.height = t);
	}
	let ca = R.ori == 0 ? oa : sa, la = R.ori == 1 ? oa : sa;
	function ua() {
		if (Nt && At.live) for (let e = +(k == 2); e < P.length; e++) {
			if (e == 0 && Ut) continue;
			let t = At.values[e], n = 0;
			for (let r in t) Vt[e][n++].firstChild.nodeValue = t[r];
		}
	}
	function da(e, t) {
		if (e != null && (e.idxs ? e.idxs.forEach((e, t) => {
			kt[t] = e;
		}) : Tt(e.idx) || kt.fill(e.idx), At.idx = kt[0]), Nt && At.live) {
			for (let e = 0; e < P.length; e++) (e > 0 || k == 1 && !Ut) && fa(e, kt[e]);
			ua();
		}
		jn = !1, t !== !1 && Aa("setLegend");
	}
	O.setLegend = da;
	function fa(e, t) {
		let n = P[e], r = e == 0 && rt == 2 ? Dr : D[e], i;
		Ut ? i = n.values(O, e, t) ?? Wt : (i = n.value(O, t == null ? null : r[t], e, t), i = i == null ? Wt : { _: i }), At.values[e] = i;
	}
	function pa(e, t, n) {
		Ri = q, zi = J, [q, J] = V.move(O, q, J), V.left = q, V.top = J, Pt && (Mi && be(Mi, qe(q), 0, H, U), Ni && be(Ni, 0, qe(J), H, U));
		let r, i = G > Tr;
		$i = nt, ea = null;
		let a = R.ori == 0 ? H : U, o = R.ori == 1 ? H : U;
		if (q < 0 || Cr == 0 || i) {
			r = V.idx = null;
			for (let e = 0; e < P.length; e++) {
				let t = Wn[e];
				t != null && be(t, -10, -10, H, U);
			}
			Hn && Ji(null, na, !0, e == null && Ma.setSeries), At.live && (kt.fill(r), jn = !0);
		} else {
			let e, t, n;
			k == 1 && (e = R.ori == 0 ? q : J, t = ia(e, L), r = V.idx = Oe(t, D[0], G, Tr), n = ot(D[0][r], R, a, 0));
			let i = -10, s = -10, c = 0, l = 0, u = !0, d = "", f = "";
			for (let e = +(k == 2); e < P.length; e++) {
				let p = P[e], m = kt[e], h = m == null ? null : k == 1 ? D[e][m] : D[e][1][m], g = V.dataIdx(O, e, r, t), _ = g == null ? null : k == 1 ? D[e][g] : D[e][1][g];
				if (jn = jn || _ != h || g != m, kt[e] = g, e > 0 && p.show) {
					let t = g == null ? -10 : g == r ? n : ot(k == 1 ? D[0][g] : D[e][0][g], R, a, 0), m = _ == null ? -10 : st(_, k == 1 ? F[p.scale] : F[p.facets[1].scale], o, 0);
					if (Hn && _ != null) {
						let t = R.ori == 1 ? q : J, n = Ge(Vn.dist(O, e, g, m, t));
						if (n < $i) {
							let r = Vn.bias;
							if (r != 0) {
								let i = ia(t, p.scale), a = _ >= 0 ? 1 : -1, o = i >= 0 ? 1 : -1;
								o == a && (o == 1 ? r == 1 ? _ >= i : _ <= i : r == 1 ? _ <= i : _ >= i) && ($i = n, ea = e);
							} else $i = n, ea = e;
						}
					}
					if (jn || Un) {
						let n, r;
						R.ori == 0 ? (n = t, r = m) : (n = m, r = t);
						let a, o, p, h, g, _, v = !0, y = Bn.bbox;
						if (y != null) {
							v = !1;
							let t = y(O, e);
							p = t.left, h = t.top, a = t.width, o = t.height;
						} else p = n, h = r, a = o = Bn.size(O, e);
						if (_ = Bn.fill(O, e), g = Bn.stroke(O, e), Un) e == ea && $i <= Vn.prox && (i = p, s = h, c = a, l = o, u = v, d = _, f = g);
						else {
							let t = Wn[e];
							t != null && (Gn[e] = p, er[e] = h, Ce(t, a, o, v), Se(t, _, g), be(t, Je(p), Je(h), H, U));
						}
					}
				}
			}
			if (Un) {
				let e = Vn.prox;
				if (jn || (ta == null ? $i <= e : $i > e || ea != ta)) {
					let e = Wn[0];
					e != null && (Gn[0] = i, er[0] = s, Ce(e, c, l, u), Se(e, d, f), be(e, Je(i), Je(s), H, U));
				}
			}
		}
		if (Y.show && Bi) {
			if (e != null) {
				let [t, n] = Ma.scales, [r, i] = Ma.match, [s, c] = e.cursor.sync.scales, l = e.cursor.drag;
				if (Hi = l._x, Ui = l._y, Hi || Ui) {
					let { left: l, top: u, width: d, height: f } = e.select, p = e.scales[s].ori, m = e.posToVal, h, g, _, v, y, b = t != null && r(t, s), x = n != null && i(n, c);
					b && Hi ? (p == 0 ? (h = l, g = d) : (h = u, g = f), _ = F[t], v = ot(m(h, s), _, a, 0), y = ot(m(h + g, s), _, a, 0), ca(Ye(v, y), Ge(y - v))) : ca(0, a), x && Ui ? (p == 1 ? (h = l, g = d) : (h = u, g = f), _ = F[n], v = st(m(h, c), _, o, 0), y = st(m(h + g, c), _, o, 0), la(Ye(v, y), Ge(y - v))) : la(0, o);
				} else ya();
			} else {
				let e = Ge(Ri - Pi), t = Ge(zi - Fi);
				if (R.ori == 1) {
					let n = e;
					e = t, t = n;
				}
				Hi = Vi.x && e >= Vi.dist, Ui = Vi.y && t >= Vi.dist;
				let n = Vi.uni;
				n == null ? Vi.x && Vi.y && (Hi || Ui) && (Hi = Ui = !0) : Hi && Ui && (Hi = e >= n, Ui = t >= n, !Hi && !Ui && (t > e ? Ui = !0 : Hi = !0));
				let r, i;
				Hi && (R.ori == 0 ? (r = Ii, i = q) : (r = Li, i = J), ca(Ye(r, i), Ge(i - r)), Ui || la(0, o)), Ui && (R.ori == 1 ? (r = Ii, i = q) : (r = Li, i = J), la(Ye(r, i), Ge(i - r)), Hi || ca(0, a)), !Hi && !Ui && (ca(0, 0), la(0, 0));
			}
		}
		if (Vi._x = Hi, Vi._y = Ui, e == null) {
			if (n) {
				if (Na != null) {
					let [e, t] = Ma.scales;
					Ma.values[0] = e == null ? null : ia(R.ori == 0 ? q : J, e), Ma.values[1] = t == null ? null : ia(R.ori == 1 ? q : J, t);
				}
				Fa(te, O, q, J, H, U, r);
			}
			if (Hn) {
				let e = n && Ma.setSeries, t = Vn.prox;
				ta == null ? $i <= t && Ji(ea, na, !0, e) : $i > t ? Ji(null, na, !0, e) : ea != ta && Ji(ea, na, !0, e);
			}
		}
		jn && (At.idx = r, da()), t !== !1 && Aa("setCursor");
	}
	let ma = null;
	Object.defineProperty(O, "rect", { get() {
		return ma ?? ha(!1), ma;
	} });
	function ha(e = !1) {
		e ? ma = null : (ma = ke.getBoundingClientRect(), Aa("syncRect", ma));
	}
	function ga(e, t, n, r, i, a, o) {
		V._lock || Bi && e != null && e.movementX == 0 && e.movementY == 0 || (_a(e, t, n, r, i, a, o, !1, e != null), e == null ? pa(t, !0, !1) : pa(null, !0, !0));
	}
	function _a(e, t, n, r, i, a, o, s, c) {
		if (ma ?? ha(!1), zn(e), e != null) n = e.clientX - ma.left, r = e.clientY - ma.top;
		else {
			if (n < 0 || r < 0) {
				q = -10, J = -10;
				return;
			}
			let [e, o] = Ma.scales, s = t.cursor.sync, [c, l] = s.values, [u, d] = s.scales, [f, p] = Ma.match, m = t.axes[0].side % 2 == 1, h = R.ori == 0 ? H : U, g = R.ori == 1 ? H : U, _ = m ? a : i, v = m ? i : a, y = m ? r : n, b = m ? n : r;
			if (n = u == null ? y / _ * h : f(e, u) ? pe(c, F[e], h, 0) : -10, r = d == null ? b / v * g : p(o, d) ? pe(l, F[o], g, 0) : -10, R.ori == 1) {
				let e = n;
				n = r, r = e;
			}
		}
		c && (t == null || t.cursor.event.type == te) && ((n <= 1 || n >= H - 1) && (n = mt(n, H)), (r <= 1 || r >= U - 1) && (r = mt(r, U))), s ? (Pi = n, Fi = r, [Ii, Li] = V.move(O, n, r)) : (q = n, J = r);
	}
	let va = {
		width: 0,
		height: 0,
		left: 0,
		top: 0
	};
	function ya() {
		Gi(va, !1);
	}
	let ba, xa, Sa, X;
	function Ca(e, t, n, r, i, a, o) {
		Bi = !0, Hi = Ui = Vi._x = Vi._y = !1, _a(e, t, n, r, i, a, o, !0, !1), e != null && (Zt(re, ue, wa, !1), Fa(ne, O, Ii, Li, H, U, null));
		let { left: s, top: c, width: l, height: u } = Y;
		ba = s, xa = c, Sa = l, X = u;
	}
	function wa(e, t, n, r, i, a, o) {
		Bi = Vi._x = Vi._y = !1, _a(e, t, n, r, i, a, o, !1, !0);
		let { left: s, top: c, width: l, height: u } = Y, d = l > 0 || u > 0, f = ba != s || xa != c || Sa != l || X != u;
		if (d && f && Gi(Y), Vi.setScale && d && f) {
			let e = s, t = l, n = c, r = u;
			if (R.ori == 1 && (e = c, t = u, n = s, r = l), Hi && qi(L, ia(e, L), ia(e + t, L)), Ui) for (let e in F) {
				let t = F[e];
				e != L && t.from == null && t.min != nt && qi(e, ia(n + r, e), ia(n, e));
			}
			ya();
		} else V.lock && (V._lock = !V._lock, pa(t, !0, e != null));
		e != null && (Qt(re, ue), Fa(re, O, q, J, H, U, null));
	}
	function Ta(e, t, n, r, i, a, o) {
		if (V._lock) return;
		zn(e);
		let s = Bi;
		if (Bi) {
			let e = !0, t = !0, n, r;
			R.ori == 0 ? (n = Hi, r = Ui) : (n = Ui, r = Hi), n && r && (e = q <= 10 || q >= H - 10, t = J <= 10 || J >= U - 10), n && e && (q = q < Ii ? 0 : H), r && t && (J = J < Li ? 0 : U), pa(null, !0, !0), Bi = !1;
		}
		q = -10, J = -10, kt.fill(null), pa(null, !0, !0), s && (Bi = s);
	}
	function Ea(e, t, n, r, i, a, o) {
		V._lock || (zn(e), jr(), ya(), e != null && Fa(oe, O, q, J, H, U, null));
	}
	function Da() {
		Re.forEach(pi), Mn(O.width, O.height, !0);
	}
	Ee(ce, de, Da);
	let Oa = {};
	Oa.mousedown = Ca, Oa.mousemove = ga, Oa.mouseup = wa, Oa.dblclick = Ea, Oa.setSeries = (e, t, n, r) => {
		let i = Ma.match[2];
		n = i(O, t, n), n != -1 && Ji(n, r, !0, !1);
	}, Pt && (Zt(ne, ke, Ca), Zt(te, ke, ga), Zt(ie, ke, (e) => {
		zn(e), ha(!1);
	}), Zt(ae, ke, Ta), Zt(oe, ke, Ea), Zr.add(O), O.syncRect = ha);
	let ka = O.hooks = e.hooks || {};
	function Aa(e, t, n) {
		wi ? Ti.push([
			e,
			t,
			n
		]) : e in ka && ka[e].forEach((e) => {
			e.call(null, O, t, n);
		});
	}
	(e.plugins || []).forEach((e) => {
		for (let t in e.hooks) ka[t] = (ka[t] || []).concat(e.hooks[t]);
	});
	let ja = (e, t, n) => n, Ma = Mt({
		key: null,
		setSeries: !1,
		filters: {
			pub: ut,
			sub: ut
		},
		scales: [L, P[1] ? P[1].scale : null],
		match: [
			dt,
			dt,
			ja
		],
		values: [null, null]
	}, V.sync);
	Ma.match.length == 2 && Ma.match.push(ja), V.sync = Ma;
	let Na = Ma.key, Pa = yr(Na);
	function Fa(e, t, n, r, i, a, o) {
		Ma.filters.pub(e, t, n, r, i, a, o) && Pa.pub(e, t, n, r, i, a, o);
	}
	Pa.sub(O);
	function Ia(e, t, n, r, i, a, o) {
		Ma.filters.sub(e, t, n, r, i, a, o) && Oa[e](null, t, n, r, i, a, o);
	}
	O.pub = Ia;
	function La() {
		Pa.unsub(O), Zr.delete(O), Xt.clear(), De(ce, de, Da), ye.remove(), It?.remove(), Aa("destroy");
	}
	O.destroy = La;
	function Ra() {
		Aa("init", e, D), Ar(D || e.data, !1), ft[L] ? ki(L, ft[L]) : jr(), An = Y.show && (Y.width > 0 || Y.height > 0), On = jn = !0, Mn(e.width, e.height);
	}
	return P.forEach(nr), Re.forEach(dr), se ? se instanceof HTMLElement ? (se.appendChild(ye), Ra()) : se(O, Ra) : Ra(), O;
}
mi.assign = Mt, mi.fmtNum = He, mi.rangeNum = ze, mi.rangeLog = Pe, mi.rangeAsinh = Fe, mi.orient = Sr, mi.pxRatio = j, mi.join = It, mi.fmtDate = Yt, mi.tzDate = Zt, mi.sync = yr;
{
	mi.addGap = Er, mi.clipGaps = Tr;
	let e = mi.paths = { points: Br };
	e.linear = Wr, e.stepped = Gr, e.bars = qr, e.spline = Yr;
}
//#endregion
//#region src/format.ts
var hi = {
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
function gi(e) {
	return `10${[...String(e)].map((e) => hi[e]).join("")}`;
}
function _i(e, t = 3) {
	if (e === 0) return "0";
	if (!Number.isFinite(e)) return Number.isNaN(e) ? "–" : e > 0 ? "∞" : "−∞";
	let n = Math.abs(e);
	if (n >= 1e5 || n < .001) {
		let [n = "", r = "0"] = e.toExponential(t - 1).split("e"), i = String(Number(n)).replace("-", "−"), a = gi(Number(r));
		return i === "1" ? a : `${i}×${a}`;
	}
	return String(Number(e.toPrecision(t))).replace("-", "−");
}
function vi(e, t) {
	if (e === 0) return "0";
	let n = Math.abs(e);
	if (n >= 1e5 || n < .001) return _i(e, 3);
	let r = Math.max(0, -Math.floor(Math.log10(Math.abs(t)) + 1e-9));
	return e.toFixed(Math.min(r, 8)).replace("-", "−");
}
//#endregion
//#region src/axis.ts
function yi(e, t, n) {
	let r = (t - e) / n, i = 10 ** Math.floor(Math.log10(r)), a = i * ([
		1,
		2,
		5
	].find((e) => e * i >= r) ?? 10), o = [];
	for (let n = Math.ceil(e / a - 1e-9); n * a <= t + 1e-9 * a; n++) o.push({
		at: n * a || 0,
		text: vi(n * a, a)
	});
	return o;
}
function bi(e, t, n) {
	let [r, i] = [Math.ceil(Math.log10(e) - 1e-9), Math.floor(Math.log10(t) + 1e-9)];
	if (i - r >= 1) {
		let e = Math.max(1, Math.ceil((i - r) / n)), t = [];
		for (let n = r; n <= i; n++) (n - i) % e === 0 && t.push({
			at: 10 ** n,
			text: gi(n)
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
			text: vi(i, 10 ** n)
		});
	}
	return a;
}
function xi(e, t, n) {
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
function Si(e, [t, n], r) {
	let i = e.log ?? !1, [a, o] = i ? [Math.log(t), Math.log(n)] : [t, n];
	return {
		log: i,
		low: t,
		high: n,
		ticks: i ? bi(t, n, r) : yi(t, n, r),
		place: (e) => ((i ? Math.log(e) : e) - a) / (o - a)
	};
}
//#endregion
//#region src/draw/frame.ts
var Ci = .9, wi = 11;
function Ti(e) {
	return Math.max(wi, Math.round(e * Ci));
}
function Ei(e) {
	return e.replace(/[&<>"]/g, (e) => `&#${e.charCodeAt(0)};`);
}
var K = (e) => Math.round(e * 100) / 100;
function Di(e, t, n, r) {
	return `<text x="${K(e)}" y="${K(t)}" ${r}>${Ei(n)}</text>`;
}
function Oi(e, t, n, r) {
	return Di(e, t, n, `${r} transform="rotate(-90 ${K(e)} ${K(t)})"`);
}
function ki(e, t) {
	return e.length * t * .55;
}
function Ai(e, t) {
	return e.colour ?? t % 7;
}
function ji(e, t) {
	return e.colour === void 0 ? t.quiet : t.lines[e.colour];
}
function Mi(e, t) {
	return t * 2.3 + Math.max(...e.map((e) => ki(e.text, t)), t);
}
function Ni(e, t, n, r, { letter: i }, a) {
	let o = [], [s, c] = [e.right - e.left, e.bottom - e.top], l = `fill="${a.quiet}" font-size="${Ti(i)}"`;
	for (let n of t.ticks) {
		let r = K(e.left + t.place(n.at) * s);
		o.push(`<path d="M${r} ${e.top}V${e.bottom}" stroke="${a.grid}"/>`), o.push(Di(r, e.bottom + i * 1.25, n.text, `text-anchor="middle" ${l}`));
	}
	for (let t of n.ticks) {
		let r = K(e.bottom - n.place(t.at) * c);
		o.push(`<path d="M${e.left} ${r}H${e.right}" stroke="${a.grid}"/>`), o.push(Di(e.left - i * .5, r + i * .32, t.text, `text-anchor="end" ${l}`));
	}
	let u = `text-anchor="middle" fill="${a.quiet}"`;
	return o.push(Di((e.left + e.right) / 2, e.bottom + i * 2.7, r.x.label, u)), o.push(Oi(i * 1.1, (e.top + e.bottom) / 2, r.y.label, u)), o.join("");
}
function Pi(e, t, n, r, { letter: i }, a) {
	let o = [], s = 0;
	for (let c of e ?? []) {
		let e = (c.axis === "x" ? n : r).place(c.at);
		if (!(e >= 0 && e <= 1)) continue;
		let l = `stroke="${ji(c, a)}" stroke-dasharray="3 3" fill="none"`, u = `fill="${a.quiet}" font-size="${Ti(i)}" paint-order="stroke" stroke="${a.paper}" stroke-width="3" stroke-linejoin="round"`;
		if (c.axis === "x") {
			let n = K(t.left + e * (t.right - t.left)), r = e > .6;
			o.push(`<path d="M${n} ${t.top}V${t.bottom}" ${l}/>`), o.push(Di(n + (r ? -5 : 5), t.top + i * (1 + 1.2 * s++), c.label, `${u} text-anchor="${r ? "end" : "start"}"`));
		} else {
			let n = K(t.bottom - e * (t.bottom - t.top));
			o.push(`<path d="M${t.left} ${n}H${t.right}" ${l}/>`);
			let r = c.side === "left", a = n - t.top < 1.5 * i;
			o.push(Di(r ? t.left + 4 : t.right - 4, a ? n + 1.2 * i : n - 6, c.label, `${u} text-anchor="${r ? "start" : "end"}"`));
		}
	}
	return o.join("");
}
//#endregion
//#region src/palette.ts
var Fi = {
	lines: [
		"#0072B2",
		"#D55E00",
		"#009E73",
		"#CC79A7",
		"#E69F00",
		"#56B4E9",
		"#000000",
		"#3d2b8e",
		"#8a3fa6",
		"#b5487f",
		"#a8601f",
		"#7d7200",
		"#4a7a3a"
	],
	ink: "#16202c",
	quiet: "#53606f",
	grid: "#e3e8ee",
	paper: "#ffffff",
	low: "#01665e",
	middle: "#f7f7f5",
	high: "#8c510a"
}, Ii = {
	lines: [
		"#4AA3E0",
		"#F27A2E",
		"#22C596",
		"#E6A0C9",
		"#F2B63C",
		"#A5DCFF",
		"#F4F6F8",
		"#a79bff",
		"#cf94f0",
		"#f09ac2",
		"#f0ae7a",
		"#d8cc5a",
		"#a3cf86"
	],
	ink: "#e9eef4",
	quiet: "#a3b0bf",
	grid: "#2b3746",
	paper: "#151d27",
	low: "#5ab4ac",
	middle: "#1d2733",
	high: "#d8b365"
}, Li = {
	trained: {
		width: 7,
		opacity: .3
	},
	predicted: {
		width: 1.8,
		opacity: 1
	},
	reference: {
		width: 1.2,
		opacity: .85
	}
};
function Ri(e) {
	let { width: t, opacity: n } = Li[e.role ?? "predicted"];
	return {
		width: t,
		opacity: 1 - (1 - n) ** (1 / (e.among ?? 1))
	};
}
var zi = {
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
function q(e, t, n) {
	let r = (e, t) => Number.parseInt(e.slice(1 + 2 * t, 3 + 2 * t), 16);
	return `#${[
		0,
		1,
		2
	].map((i) => Math.round(r(e, i) + n * (r(t, i) - r(e, i)))).map((e) => e.toString(16).padStart(2, "0")).join("")}`;
}
function J(e, t, n = !1) {
	if (n) return q(e.middle, e.ink, Math.max(0, Math.min(1, Number.isFinite(t) ? t : 0)));
	let r = Math.max(-1, Math.min(1, Number.isFinite(t) ? t : 0));
	return r < 0 ? q(e.middle, e.low, -r) : q(e.middle, e.high, r);
}
//#endregion
//#region src/draw/heat.ts
var Bi = 5, Vi = 1.25, Hi = 32;
function Ui(e, t, n, r) {
	let i = Ti(r), a = (e) => Math.max(0, ...e.map((e) => ki(e, i))), [o, s] = [e.matrix.length || 1, e.matrix[0]?.length || 1], c = a(e.rows) + r * .8, l = a(e.columns), u = Math.max(2, (t - c - r * Bi) / s), d = l + r * .4 < u, f = d ? r * 1.8 : l + r * .9;
	return {
		left: c,
		level: d,
		below: f,
		width: u,
		height: Math.max(r * Vi, (n - f) / o)
	};
}
function Y(e, t, n, r) {
	let { height: i, below: a } = Ui(e, t, n, r);
	return Math.ceil(e.matrix.length * i + a + r * .7);
}
function Wi({ bound: e, matrix: t }) {
	return e ?? (Math.max(0, ...t.flat().map(Math.abs).filter(Number.isFinite)) || 1);
}
function Gi(e, { width: t, height: n, letter: r }, i, a) {
	let { left: o, width: s, height: c, level: l } = Ui(e, t, n - a, r), [u, d] = [e.matrix.length, e.matrix[0]?.length ?? 0], f = Wi(e), p = Ti(r), m = `fill="${i.quiet}" font-size="${p}"`, h = [];
	e.matrix.forEach((t, n) => t.forEach((t, r) => {
		let l = Ei(`${e.rows[n] ?? n + 1}, ${e.columns[r] ?? r + 1}: ${_i(t)}`);
		h.push(`<rect x="${K(o + r * s)}" y="${K(a + n * c)}" width="${K(s + .3)}" height="${K(c + .3)}" fill="${J(i, t / f, e.sizes)}"><title>${l}</title></rect>`);
	}));
	let g = (e) => Math.max(1, Math.ceil(p * 1.1 / e));
	return e.rows.forEach((e, t) => {
		t % g(c) === 0 && h.push(Di(o - 5, a + (t + .5) * c + p * .35, e, `${m} text-anchor="end"`));
	}), e.columns.forEach((e, t) => {
		let [n, r] = [o + (t + .5) * s, a + u * c];
		l ? h.push(Di(n, r + p * 1.3, e, `${m} text-anchor="middle"`)) : t % g(s) === 0 && h.push(Oi(n + p * .35, r + 6, e, `${m} text-anchor="end"`));
	}), h.push(`<rect x="${K(o)}" y="${a}" width="${K(d * s)}" height="${K(u * c)}" fill="none" stroke="${i.grid}"/>`), h.push(Ki(o + d * s + r, a, u * c, f, e, r, i)), h.join("");
}
function Ki(e, t, n, r, { label: i, sizes: a }, o, s) {
	let c = Ti(o), l = [];
	for (let r = 0; r < Hi; r++) {
		let i = J(s, 1 - (a ? 1 : 2) * r / 31, a);
		l.push(`<rect x="${K(e)}" y="${K(t + r * n / Hi)}" width="${K(o * .8)}" height="${K(n / Hi + .4)}" fill="${i}"/>`);
	}
	let u = [
		[c * .8, r],
		...a ? [] : [[n / 2 + c * .35, 0]],
		[n, a ? 0 : -r]
	];
	for (let [n, r] of u) l.push(Di(e + o * 1.1, t + n, _i(r, 2), `fill="${s.quiet}" font-size="${c}"`));
	let [d, f] = ki(i, o) > n ? [t + n, "start"] : [t + n / 2, "middle"];
	return l.push(Oi(e + o * 3.7, d, i, `fill="${s.quiet}" text-anchor="${f}"`)), l.join("");
}
//#endregion
//#region src/draw/lines.ts
var qi = .04;
function Ji(e) {
	return e.lines.map((e, t) => ({
		line: e,
		colour: Ai(e, t)
	})).filter(({ line: e }) => !e.quiet);
}
function Yi(e, t, n) {
	let r = e.lines.map((e, r) => ({
		line: e,
		colour: Ai(e, r),
		at: t(e.y[e.y.length - 1]) - .35 * n,
		i: r
	})).filter(({ line: e }) => !e.quiet).sort((e, t) => t.at - e.at);
	return r.forEach((e, t) => {
		let i = r[t - 1];
		i && (e.at = Math.min(e.at, i.at - n));
	}), r;
}
function Xi(e) {
	let t = e.marks ?? [], n = e.x.range?.[1] ?? e.x.values[e.x.values.length - 1];
	return e.moment === void 0 || e.moment >= n * (1 - 1e-9) ? t : [...t, {
		axis: "x",
		at: e.moment,
		label: "now"
	}];
}
function Zi(e) {
	let t = e.lines.flatMap((e) => e.x ? [e.x] : []), n = e.lines.some((e) => !e.x) ? [e.x.values, ...t] : t;
	return {
		x: xi(e.x, n.flat(), 0),
		y: xi(e.y, e.lines.flatMap((e) => e.y), qi)
	};
}
function Qi(e, t, n, r, i) {
	let a = e.x ?? t.x.values, [o, s] = ["", !1];
	return e.y.forEach((e, t) => {
		let [c, l] = [r.place(a[t]), i.place(e)], u = Number.isFinite(c) && Number.isFinite(l);
		u && (o += `${s ? "L" : "M"}${K(n.left + c * (n.right - n.left))} ${K(n.bottom - l * (n.bottom - n.top))}`), s = u;
	}), o;
}
function $i(e, t) {
	let { width: n, opacity: r } = Ri(e), i = zi[e.dash ?? "solid"].map((e) => K(e * n)).join(" "), a = r === 1 ? "" : ` stroke-opacity="${r}"`;
	return `stroke="${t}" stroke-width="${n}" fill="none"${i && ` stroke-dasharray="${i}"`}${a}`;
}
function ea(e, t, n, { width: r, letter: i }, a) {
	let o = e.direct ? [] : Ji(e), s = i * 4 + Math.max(0, ...o.map(({ line: e }) => ki(e.label, i))), c = Math.max(1, Math.floor((r - t) / s));
	return {
		drawn: o.map(({ line: e, colour: r }, o) => {
			let [l, u] = [t + o % c * s, n + i * (.5 + 1.5 * Math.floor(o / c))];
			return `<path d="M${K(l)} ${K(u)}h${i * 2}" ${$i({
				...e,
				among: 1
			}, a.lines[r])}/>` + Di(l + i * 2.5, u + i * .35, e.label, `fill="${a.ink}"`);
		}).join(""),
		height: Math.ceil(o.length / c) * i * 1.5
	};
}
function ta(e, t, n, r) {
	let i = Zi(e), [a, o] = [Si(e.x, i.x, 6), Si(e.y, i.y, 5)], s = Mi(o.ticks, t.letter), c = ea(e, s, r, t, n), l = {
		left: s,
		top: r + c.height,
		right: t.width - t.letter,
		bottom: t.height - t.letter * 3.3
	}, u = `clip-${e.id}`, d = e.lines.map((t, r) => `<path d="${Qi(t, e, l, a, o)}" ${$i(t, n.lines[Ai(t, r)])} stroke-linejoin="round"/>`), f = (e.direct ? Yi(e, (e) => l.bottom - o.place(e) * (l.bottom - l.top), 1.15 * t.letter) : []).map(({ line: e, colour: t, at: r }) => Di(l.right - 2, r, e.label, `fill="${n.lines[t]}" text-anchor="end" paint-order="stroke" stroke="${n.paper}" stroke-width="3"`));
	return `<clipPath id="${u}"><rect x="${l.left}" y="${l.top - 2}" width="${l.right - l.left}" height="${l.bottom - l.top + 4}"/></clipPath>${Ni(l, a, o, e, t, n)}<g clip-path="url(#${u})">${d.join("")}</g>${Pi(Xi(e), l, a, o, t, n)}${f.join("")}${c.drawn}`;
}
//#endregion
//#region src/draw/scatter.ts
var na = .08, ra = (e, t) => e.left < t.right && t.left < e.right && e.top < t.bottom && t.top < e.bottom;
function ia(e, t, n, r, i, a) {
	for (let o of [
		1,
		2.2,
		3.6,
		5
	]) for (let [s, c] of [
		[1, 0],
		[-1, 0],
		[0, -1],
		[0, 1],
		[1, -1],
		[1, 1],
		[-1, -1],
		[-1, 1]
	]) {
		let l = e + s * r * .7 * o + (s < 0 ? -n : s === 0 ? -n / 2 : 0), u = t + c * r * 1.05 * o, d = {
			left: l,
			right: l + n,
			top: u - r * .55,
			bottom: u + r * .55
		};
		if (d.left >= i.left && d.right <= i.right && d.top >= i.top && d.bottom <= i.bottom && !a.some((e) => ra(d, e))) return {
			...d,
			away: o > 1
		};
	}
	return {
		left: e + r * .7,
		right: e + r * .7 + n,
		top: t - r * .5,
		bottom: t + r * .5,
		away: !1
	};
}
function aa(e, t, n, r) {
	let { letter: i } = t, a = Ti(i), o = e.points.flatMap((e) => e.trail ?? []), s = xi(e.x, [...e.points.map((e) => e.x), ...o.map(([e]) => e)], na), c = xi(e.y, [...e.points.map((e) => e.y), ...o.map(([, e]) => e)], na), l = t.height - i * 3.3, u = {
		left: Mi(Si(e.y, c, 5).ticks, i),
		top: r,
		right: t.width - i,
		bottom: l
	};
	e.equal && ([s, c] = oa(s, c, (u.right - u.left) / (u.bottom - u.top)));
	let [d, f] = [Si(e.x, s, 5), Si(e.y, c, 5)], p = (e, t) => [K(u.left + d.place(e) * (u.right - u.left)), K(u.bottom - f.place(t) * (u.bottom - u.top))], m = e.points.map((e) => p(e.x, e.y)), h = i * .36, g = e.points.flatMap((e, t) => e.label ? [{
		left: m[t][0] - h,
		right: m[t][0] + h,
		top: m[t][1] - h,
		bottom: m[t][1] + h
	}] : []), _ = e.points.map((e, t) => {
		let r = n.lines[Ai(e, t)], [i, a] = m[t], o = (e.trail ?? []).map(([e, t]) => p(e, t).join(" ")), s = o.length ? `<path d="M${o.join("L")}L${i} ${a}" stroke="${r}" stroke-opacity="0.5" stroke-width="1.6" fill="none"/>` : "", c = e.ring ? `fill="none" stroke="${r}" stroke-opacity="0.45" stroke-width="${K(.9 * h)}"` : `fill="${r}"`;
		return `${s}<circle cx="${i}" cy="${a}" r="${K(e.ring ? 1.8 * h : h)}" ${c}><title>${Ei(`${e.label}: ${_i(e.x)}, ${_i(e.y)}`)}</title></circle>`;
	}), v = e.points.map((e, t) => {
		if (!e.label) return "";
		let [r, i] = m[t], o = ia(r, i, ki(e.label, a), a, u, g);
		g.push(o);
		let s = (o.top + o.bottom) / 2, c = r < o.left ? o.left - 2 : r > o.right ? o.right + 2 : (o.left + o.right) / 2;
		return (o.away ? `<path d="M${r} ${i}L${K(c)} ${K(s)}" stroke="${n.quiet}" stroke-width="0.7"/>` : "") + Di((o.left + o.right) / 2, s + a * .35, e.label, `fill="${n.ink}" font-size="${a}" text-anchor="middle"`);
	});
	return `${Ni(u, d, f, e, t, n)}${Pi(e.marks, u, d, f, t, n)}${_.join("")}${v.join("")}`;
}
function oa(e, t, n) {
	let [r, i] = [e[1] - e[0], t[1] - t[0]], a = ([e, t], n) => [(e + t - n) / 2, (e + t + n) / 2];
	return r / i < n ? [a(e, i * n), t] : [e, a(t, r / n)];
}
//#endregion
//#region src/draw/index.ts
function sa(e, t, n, r) {
	let { width: i, height: a, letter: o } = t, s = o * (r ? 2.4 : .7), c = r ? `<rect width="100%" height="100%" fill="${n.paper}"/>${Di(o * .5, o * 1.4, e.title, `font-weight="600" font-size="${K(o * 1.1)}" fill="${n.ink}"`)}` : "", l = {
		lines: ta,
		heat: Gi,
		scatter: aa
	}[e.kind];
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${i}" height="${a}" viewBox="0 0 ${i} ${a}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="${o}">${c}${l(e, t, n, s)}</svg>`;
}
//#endregion
//#region src/save.ts
var ca = {
	width: 720,
	height: 460,
	letter: 14
}, la = 2;
function ua(e) {
	let t = typeof e == "number" && !Number.isFinite(e) ? "" : String(e);
	return /[",\n]/.test(t) ? `"${t.replaceAll("\"", "\"\"")}"` : t;
}
function da(e) {
	return `${e.map((e) => e.map(ua).join(",")).join("\r\n")}\r\n`;
}
function fa(e) {
	if (e.kind === "heat") return da([["", ...e.columns], ...e.matrix.map((t, n) => [e.rows[n] ?? n, ...t])]);
	if (e.kind === "scatter") {
		let t = e.points.flatMap((e) => [...e.trail ?? [], [e.x, e.y]].map(([t, n], r) => [
			e.label,
			r,
			t,
			n
		]));
		return da([[
			"point",
			"step",
			e.x.label,
			e.y.label
		], ...t]);
	}
	let t = e.lines.map((t) => new Map((t.x ?? e.x.values).map((e, n) => [e, t.y[n] ?? NaN]))), n = [...new Set(t.flatMap((e) => [...e.keys()]))].sort((e, t) => e - t);
	return da([[e.x.label, ...e.lines.map((e) => e.label)], ...n.map((e) => [e, ...t.map((t) => t.get(e) ?? NaN)])]);
}
function pa(e) {
	return e.kind === "heat" ? {
		...ca,
		height: Y(e, ca.width, ca.height, ca.letter) + 2 * ca.letter
	} : ca;
}
function ma(e) {
	return sa(e, pa(e), Fi, !0);
}
async function ha(e, t, n) {
	let r = new Image();
	r.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(e)}`, await r.decode();
	let i = document.createElement("canvas");
	return [i.width, i.height] = [t * la, n * la], i.getContext("2d").drawImage(r, 0, 0, i.width, i.height), new Promise((e, t) => i.toBlob((n) => n ? e(n) : t(/* @__PURE__ */ Error("the browser could not make a PNG")), "image/png"));
}
function ga(e, t) {
	let n = document.createElement("a");
	n.href = URL.createObjectURL(e), n.download = t, n.click(), setTimeout(() => URL.revokeObjectURL(n.href), 1e4);
}
function _a(e, t) {
	let n = [
		["SVG", () => new Blob([ma(e())], { type: "image/svg+xml" })],
		["PNG", () => ha(ma(e()), ca.width, pa(e()).height)],
		["CSV", () => new Blob([fa(e())], { type: "text/csv" })]
	], r = document.createElement("details");
	r.className = "save";
	let i = document.createElement("summary");
	i.textContent = "Save", r.append(i);
	for (let [i, a] of n) {
		let n = document.createElement("button");
		n.type = "button", n.textContent = i, n.setAttribute("aria-label", `Save “${e().title}” as ${i}`), n.addEventListener("click", async () => {
			ga(await a(), `festina-${t}-${e().id}.${i.toLowerCase()}`), r.open = !1;
		}), r.append(n);
	}
	return r;
}
//#endregion
//#region src/chart.ts
var va = {
	lines: 23,
	heat: 23,
	scatter: 28
}, ya = {
	lines: .66,
	heat: .66,
	scatter: .8
}, ba = .42, xa = 250, Sa = 600;
function X(e, t = {}, ...n) {
	let r = document.createElement(e);
	for (let [e, n] of Object.entries(t)) r.setAttribute(e, n);
	return r.append(...n), r;
}
var Ca = class {
	chart;
	look;
	root;
	title = X("h3");
	stamp = X("p", {
		class: "sealed",
		hidden: ""
	});
	legend = X("ul", { class: "legend" });
	plot = X("div", { class: "plot" });
	readings = [];
	drawn;
	scales;
	data = [[]];
	width = 0;
	under;
	cut = !1;
	markup = "";
	form = "";
	cells = [];
	rest;
	held;
	constructor(e, t, n) {
		this.chart = e, this.look = t;
		let r = X("figcaption", {}, this.title, _a(() => this.chart, n));
		this.root = X("figure", {
			class: "chart",
			"data-chart": e.id
		}, this.stamp, r, this.legend, this.plot);
	}
	seal(e) {
		this.stamp.hidden = e === void 0, this.stamp.textContent = e === void 0 ? "" : `sealed ${e}`;
	}
	update(e, t, n = !1) {
		this.chart = e, this.look = t, this.cut = n, this.root.classList.toggle("wide", e.wide ?? !1), this.title.textContent !== e.title && (this.title.textContent = e.title), this.plot.setAttribute("role", "img"), this.plot.setAttribute("aria-label", Da(e)), this.width = this.plot.clientWidth, this.width > 0 && this.draw();
	}
	fit() {
		this.plot.clientWidth !== this.width && this.update(this.chart, this.look, this.cut);
	}
	get size() {
		let { chart: e, width: t, look: { letter: n, tallest: r = Infinity } } = this, i = e.kind === "heat" && e.tall ? "scatter" : e.kind, a = e.wide && i === "lines" ? ba : ya[i], o = Math.round(Math.min(r, Math.max(n * 15, Math.min(n * va[i], t * a))));
		return {
			width: t,
			letter: n,
			height: e.kind === "heat" ? Y(e, t, o, n) : o
		};
	}
	draw() {
		if (this.chart.kind === "lines") {
			this.drawLines(this.chart);
			return;
		}
		if (this.chart.kind === "heat" && this.recolour(this.chart)) return;
		let e = sa(this.chart, this.size, this.look.palette, !1);
		e !== this.markup && (this.markup = e, this.plot.innerHTML = e, this.cells = [...this.plot.querySelectorAll("rect:has(title)")]);
	}
	recolour(e) {
		let t = JSON.stringify([
			this.size,
			this.look,
			e.rows,
			e.columns,
			e.label,
			Wi(e)
		]), n = this.form === t && this.cells.length > 0;
		if (this.form = t, !n) return !1;
		let r = Wi(e), i = e.columns.length;
		return this.cells.forEach((t, n) => {
			let a = e.matrix[Math.floor(n / i)][n % i] / r, o = J(this.look.palette, a, e.sizes);
			t.getAttribute("fill") !== o && t.setAttribute("fill", o);
		}), clearTimeout(this.rest), this.rest = setTimeout(() => {
			this.form = "", this.plot.isConnected && this.draw();
		}, xa), !0;
	}
	steady(e) {
		let t = Zi(e), n = JSON.stringify([
			e.x.label,
			e.x.log,
			e.y.label,
			e.y.log
		]), r = this.held?.axes === n ? this.held : void 0;
		if (r && JSON.stringify(r.wanted) === JSON.stringify(t)) return r.shown;
		let i = (e) => {
			let [[n, i], [a, o]] = [t[e], r?.shown[e] ?? t[e]];
			return [Math.min(n, a), Math.max(i, o)];
		};
		return this.held = {
			shown: {
				x: i("x"),
				y: i("y")
			},
			wanted: t,
			axes: n
		}, clearTimeout(this.rest), r && (this.rest = setTimeout(() => {
			this.held = void 0, this.plot.isConnected && this.draw();
		}, Sa)), this.held.shown;
	}
	drawLines(e) {
		let t = this.steady(e);
		this.scales = {
			x: Si(e.x, t.x, this.width < 420 ? 4 : 6),
			y: Si(e.y, t.y, 5)
		}, this.data = Ea(e, this.cut ? e.moment ?? Infinity : Infinity);
		let n = JSON.stringify([
			this.look,
			e.x.label,
			e.x.log,
			e.y.label,
			e.y.log,
			e.lines.map((e, t) => [
				e.label,
				Ai(e, t),
				e.dash,
				e.role,
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
			plot: new mi(this.options(e, r, i), this.data, this.plot),
			form: n
		};
	}
	drawLegend(e) {
		this.readings.length = 0;
		let t = (e.direct ? [] : Ji(e)).map(({ line: e, colour: t }) => {
			let n = zi[e.dash ?? "solid"].map((e) => e * 2).join(" "), { width: r, opacity: i } = Ri({
				...e,
				among: 1
			}), a = `<svg width="26" height="10" aria-hidden="true"><path d="M1 5h24" stroke="${this.look.palette.lines[t]}" stroke-width="${r}" stroke-opacity="${i}" stroke-dasharray="${n}"/></svg>`, o = X("output");
			this.readings.push(o);
			let s = X("li", {}, e.label, o);
			return s.insertAdjacentHTML("afterbegin", a), s;
		});
		this.legend.replaceChildren(...t);
	}
	options(e, t, n) {
		let { palette: r, letter: i } = this.look, a = (t) => ({
			stroke: r.quiet,
			labelFont: `${i}px ${wa}`,
			font: `${Ti(i)}px ${wa}`,
			label: e[t].label,
			labelSize: i * 1.7,
			labelGap: 2,
			gap: t === "x" ? 7 : 4,
			size: (e, n) => t === "x" ? i * 1.9 + 3 : i * (.9 + .52 * Math.max(2, ...(n ?? []).map((e) => e.length))),
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
				stroke: r.lines[Ai(e, t)],
				width: Ri(e).width,
				dash: zi[e.dash ?? "solid"].map((t) => t * Ri(e).width),
				alpha: Ri(e).opacity,
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
		let t = this.chart, n = Xi(t), { ctx: r, bbox: i } = e, { palette: a, letter: o } = this.look, s = mi.pxRatio;
		r.save(), r.font = `${Ti(o) * s}px ${wa}`, r.lineWidth = s, r.textBaseline = "alphabetic";
		let c = 0, l = (e, t, n) => {
			r.save(), r.setLineDash([]), r.lineWidth = 3 * s, r.lineJoin = "round", r.strokeStyle = a.paper, r.strokeText(e, t, n), r.fillText(e, t, n), r.restore();
		};
		for (let t of n) {
			let n = Math.round(e.valToPos(t.at, t.axis, !0)), u = t.axis === "x" ? (n - i.left) / i.width : (n - i.top) / i.height;
			u >= 0 && u <= 1 && (r.strokeStyle = ji(t, a), r.fillStyle = a.quiet, r.setLineDash([3 * s, 3 * s]), r.beginPath(), t.axis === "x" ? (r.moveTo(n, i.top), r.lineTo(n, i.top + i.height), r.stroke(), r.textAlign = u > .6 ? "right" : "left", l(t.label, n + (u > .6 ? -5 : 5) * s, i.top + o * (1 + 1.2 * c++) * s)) : (r.moveTo(i.left, n), r.lineTo(i.left + i.width, n), r.stroke(), r.textAlign = t.side ?? "right", l(t.label, t.side === "left" ? i.left + 4 * s : i.left + i.width - 4 * s, u * i.height < 1.5 * o * s ? n + 1.2 * o * s : n - 6 * s)));
		}
		r.setLineDash([]);
		let u = t.direct ? Yi(t, (t) => e.valToPos(t, "y", !0), 1.15 * o * s) : [];
		for (let { line: e, colour: t, at: n, i: o } of u) {
			let c = this.under === void 0 ? void 0 : Ta(this.data[o + 1], this.under);
			r.fillStyle = a.lines[t], r.textAlign = "right", l(c == null ? e.label : `${e.label}  ${_i(c)}`, i.left + i.width - 2 * s, n);
		}
		r.restore();
	}
	readAt(e) {
		let t = e.cursor.idx;
		if (this.chart.direct) {
			if (this.under === (t ?? void 0)) return;
			this.under = t ?? void 0, e.redraw(!1, !1);
			return;
		}
		let n = this.chart.lines, r = 0;
		n.forEach((e, n) => {
			if (e.quiet) return;
			let i = t == null ? void 0 : Ta(this.data[n + 1], t), a = this.readings[r++];
			a && (a.textContent = i == null ? "" : _i(i));
		});
	}
}, wa = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";
function Ta(e, t) {
	for (let n = 0; n < e.length; n++) {
		let r = e[t - n] ?? e[t + n];
		if (r != null) return r;
	}
}
function Ea(e, t) {
	let n = e.y.log ?? !1, r = (e) => e.map((e) => Number.isFinite(e) && (!n || e > 0) ? e : null), i = (n) => {
		let i = n.x ?? e.x.values;
		return r(n.y).map((e, n) => i[n] <= t ? e : null);
	};
	return e.lines.every((e) => !e.x) ? [[...e.x.values], ...e.lines.map(i)] : mi.join(e.lines.map((t) => [[...t.x ?? e.x.values].slice(0, t.y.length), i(t)]));
}
function Da(e) {
	return e.kind === "lines" ? `${e.title}: ${e.y.label} against ${e.x.label}; ${Ji(e).map(({ line: e }) => e.label).join(", ")}` : e.kind === "heat" ? `${e.title}: ${e.matrix.length} by ${e.matrix[0]?.length ?? 0} values of ${e.label}` : `${e.title}: ${e.points.map((e) => e.label).join(", ")}`;
}
//#endregion
//#region src/state.ts
function Oa(e, t) {
	return typeof e.controls == "function" ? e.controls(t) : e.controls;
}
function ka(e) {
	return e.filter((e) => e.kind !== "button");
}
function Aa(e) {
	return typeof e == "object" ? e.map((e) => [...e]) : e;
}
function ja(e) {
	return !e.log && Number.isInteger(e.step) && Number.isInteger(e.min);
}
function Ma(e, t) {
	if (e.kind === "slider") return typeof t == "number" && t >= e.min && t <= e.max && (!ja(e) || Number.isInteger(t)) ? void 0 : `${e.id} must be a ${ja(e) ? "whole " : ""}number from ${e.min} to ${e.max}`;
	if (e.kind === "choice") {
		let n = e.options.map((e) => e.value);
		return n.includes(t) ? void 0 : `${e.id} must be one of ${n.join(", ")}`;
	}
	if (e.kind === "text") return typeof t == "string" ? e.refuse(t) : `${e.id} must be text`;
	let [n, r] = [e.rows.length, e.columns.length];
	return Array.isArray(t) && t.length === n && t.every((e) => Array.isArray(e) && e.length === r && e.every((e) => typeof e == "boolean")) ? void 0 : `${e.id} must be ${n} rows of ${r} toggles`;
}
function Na(e, t) {
	let n = {}, r = [];
	for (let i = 0; i < 4; i++) {
		let i = JSON.stringify(n), a = {};
		r = [];
		for (let i of ka(Oa(e, n))) {
			let e = Object.hasOwn(t, i.id) ? t[i.id] : void 0, n = e === void 0 ? void 0 : Ma(i, e);
			n && r.push(n), a[i.id] = Aa(e === void 0 || n ? i.value : e);
		}
		if (n = a, JSON.stringify(n) === i) break;
	}
	for (let e of Object.keys(t)) Object.hasOwn(n, e) || r.push(`there is no setting ${e.slice(0, 24)}`);
	return {
		state: n,
		misfits: r
	};
}
function Pa(e) {
	let t = e.log ? Math.log10(e.max / e.min) : e.max - e.min;
	return Math.max(1, Math.round(t / e.step));
}
function Fa(e, t) {
	if (t <= 0) return e.min;
	if (t >= Pa(e)) return e.max;
	let n = e.log ? e.min * 10 ** (t * e.step) : e.min + t * e.step;
	return Math.min(e.max, Math.max(e.min, Number(n.toPrecision(e.log ? 4 : 12))));
}
function Ia(e, t) {
	let n = e.log ? Math.log10(t / e.min) : t - e.min;
	return Math.min(Pa(e), Math.max(0, Math.round(n / e.step)));
}
//#endregion
//#region src/controls.ts
var La = class {
	change;
	refused;
	root = X("div", { class: "controls" });
	further = X("details", { class: "more" }, X("summary", {}, "More settings"));
	parts = /* @__PURE__ */ new Map();
	controls = [];
	state = {};
	constructor(e, t) {
		this.change = e, this.refused = t;
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
		let r = (t) => e.filter((e) => (e.more ?? !1) === t).map(({ id: e }) => n.get(e).part.root), [i, a] = [r(!1), r(!0)];
		this.place(this.root, a.length ? [...i, this.further] : i), this.place(this.further, [this.further.firstElementChild, ...a]), this.parts = n;
		for (let { part: e } of n.values()) e.set(t);
	}
	place(e, t) {
		for (let n of [...e.children]) t.includes(n) || n.remove();
		t.forEach((t, n) => {
			e.children[n] !== t && e.insertBefore(t, e.children[n] ?? null);
		});
	}
	make(e) {
		if (e.kind === "slider") return Va(e, this.change);
		if (e.kind === "choice") return Ha(e, this.change);
		if (e.kind === "grid") return Ua(e, this.change);
		if (e.kind === "text") return Ga(e, this.change, this.refused);
		let t = () => this.controls.find((t) => t.kind === "button" && t.id === e.id)?.press(this.state);
		return Wa(e, () => this.change(t() ?? {}));
	}
};
function Ra(e) {
	return `festina-${e}-${++za}`;
}
var za = 0;
function Ba(e) {
	let t = document.createDocumentFragment();
	if (!e.help) return {
		mark: t,
		text: t,
		describes: {}
	};
	let n = Ra(`${e.id}-help`), r = X("p", {
		class: "help",
		id: n,
		hidden: ""
	}, e.help), i = X("button", {
		type: "button",
		class: "ask-help",
		"aria-expanded": "false",
		"aria-controls": n,
		"aria-label": `Help on ${e.label}`
	}, "?");
	return i.addEventListener("click", () => {
		r.hidden = !r.hidden, i.setAttribute("aria-expanded", String(!r.hidden));
	}), {
		mark: i,
		text: r,
		describes: { "aria-describedby": n }
	};
}
function Va(e, t) {
	let n = Ra(e.id), r = Ba(e), i = X("input", {
		...r.describes,
		type: "range",
		id: n,
		min: "0",
		max: String(Pa(e)),
		step: "1",
		"data-control": e.id
	}), a = X("output", { for: n }), o = (t) => (e.format ?? _i)(t) + (e.unit ? ` ${e.unit}` : "");
	return i.addEventListener("input", () => t({ [e.id]: Fa(e, Number(i.value)) })), {
		root: X("div", { class: "control slider" }, X("div", { class: "head" }, X("label", { for: n }, e.label), r.mark, a), r.text, i),
		set: (t) => {
			let n = t[e.id], r = Ia(e, n);
			i.value = String(r), i.style.setProperty("--filled", `${100 * r / Pa(e)}%`), a.textContent = o(n), i.setAttribute("aria-valuetext", o(n));
		}
	};
}
function Ha(e, t) {
	let n = Ra(e.id), r = e.options.map((r) => {
		let i = X("input", {
			type: "radio",
			name: n,
			value: r.value,
			"data-control": e.id
		});
		return i.addEventListener("change", () => t({ [e.id]: r.value })), {
			input: i,
			root: X("label", {}, i, X("span", {}, r.label))
		};
	}), i = (t) => {
		for (let { input: n } of r) n.checked = n.value === t[e.id];
	}, a = Ba(e);
	return {
		root: X("fieldset", {
			class: "control choice",
			...a.describes
		}, X("legend", {}, e.label, " ", a.mark), a.text, ...r.map((e) => e.root)),
		set: i
	};
}
function Ua(e, t) {
	let n = [], r = e.rows.map((i, a) => e.columns.map((o, s) => {
		let c = X("button", {
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
	})), i = X("tr", {}, X("td"), ...e.columns.map((e) => X("th", { scope: "col" }, e))), a = r.map((t, n) => X("tr", {}, X("th", { scope: "row" }, e.rows[n]), ...t.map((e) => X("td", {}, e)))), o = X("table", {}, X("thead", {}, i), X("tbody", {}, ...a)), s = (t) => {
		n = t[e.id], r.forEach((e, t) => e.forEach((e, r) => e.setAttribute("aria-pressed", String(n[t]?.[r] ?? !1))));
	}, c = Ba(e);
	return {
		root: X("fieldset", {
			class: "control grid",
			...c.describes
		}, X("legend", {}, e.label, " ", c.mark), c.text, X("div", { class: "scroll" }, o)),
		set: s
	};
}
function Wa(e, t) {
	let n = Ba(e), r = X("button", {
		...n.describes,
		type: "button",
		class: "press",
		"data-control": e.id
	}, e.label);
	return r.addEventListener("click", t), {
		root: X("div", { class: "control preset" }, r, n.mark, n.text),
		set: () => {}
	};
}
function Ga(e, t, n) {
	let r = Ra(e.id), i = Ba(e), a = X("textarea", {
		...i.describes,
		id: r,
		rows: "7",
		spellcheck: "false",
		wrap: "off",
		"data-control": e.id
	}), o = X("input", {
		type: "file",
		accept: ".csv,.tsv,.txt,text/csv,text/plain",
		"aria-label": `Open a file for ${e.label}`
	}), s = X("p", {
		class: "wrong",
		role: "alert",
		hidden: ""
	}), c = () => {
		let r = e.refuse(a.value);
		s.hidden = r === void 0, s.textContent = r ?? "", n(r !== void 0), r === void 0 && t({ [e.id]: a.value });
	};
	return a.addEventListener("input", c), o.addEventListener("change", async () => {
		let e = o.files?.[0];
		e && (a.value = await e.text(), c());
	}), {
		root: X("div", { class: "control table" }, X("div", { class: "head" }, X("label", { for: r }, e.label), i.mark), i.text, a, o, s),
		set: (t) => {
			let n = t[e.id];
			s.hidden && a.value !== n && (a.value = n);
		}
	};
}
//#endregion
//#region src/draw/schematic.ts
var Ka = 1.55, qa = 1.12, Ja = .4;
function Ya({ nodes: e, links: t, words: n, caption: r }, i, a) {
	let o = Ti(i), s = (e) => K(e * i * Ka), c = (e) => K(e * i * qa), l = (e) => e === void 0 ? a.quiet : a.lines[e], u = [], [d, f, p, m] = [
		Infinity,
		-Infinity,
		Infinity,
		-Infinity
	], h = (e, t, n, r) => {
		d = Math.min(d, e), f = Math.max(f, t), p = Math.min(p, n), m = Math.max(m, r);
	};
	for (let { from: n, to: r, colour: i, weight: a = 1 } of t) {
		let [t, o] = [e[n], e[r]];
		u.push(`<path d="M${s(t.x)} ${c(t.y)}L${s(o.x)} ${c(o.y)}" stroke="${l(i)}" stroke-width="${K(1.1 * a)}" stroke-opacity="0.55" fill="none"/>`);
	}
	for (let t of e) {
		let [e, n, r] = [
			s(t.x),
			c(t.y),
			K(Ja * i)
		], d = `fill="${t.colour === void 0 ? a.paper : l(t.colour)}" stroke="${l(t.colour)}" stroke-width="1.4"`;
		if (u.push(t.shape === "square" ? `<rect x="${e - r}" y="${n - r}" width="${2 * r}" height="${2 * r}" ${d}/>` : `<circle cx="${e}" cy="${n}" r="${r}" ${d}/>`), h(e - r, e + r, n - r, n + r), !t.label) continue;
		let [f, p] = [ki(t.label, o), t.side === "left"], m = p ? e - 1.7 * r : e + 1.7 * r;
		u.push(Di(m, n + o * .35, t.label, `fill="${a.ink}" font-size="${o}" text-anchor="${p ? "end" : "start"}"`)), h(p ? m - f : m, p ? m : m + f, n - o / 2, n + o / 2);
	}
	for (let e of n) {
		let [t, n, r] = [
			s(e.x),
			c(e.y),
			ki(e.text, o) / 2
		];
		u.push(Di(t, n + o * .35, e.text, `fill="${a.quiet}" font-size="${o}" text-anchor="middle"`)), h(t - r, t + r, n - o / 2, n + o * .6);
	}
	let [g, _] = [K(f - d + 8), K(m - p + 8)];
	return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${Ei(r)}" width="${g}" height="${_}" viewBox="${K(d - 4)} ${K(p - 4)} ${g} ${_}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">${u.join("")}</svg>`;
}
//#endregion
//#region src/worker.ts?worker&inline
var Xa = "(function(){var e=class{weights;units;loss=0;p;codes;read;back;change;answers;constructor(e,t){let n=e.length;this.p=n,this.weights=t.slice(),this.units=t.length/(3*n),this.codes=new Float64Array(n*n);for(let t=0;t<n;t++)for(let r=0;r<n;r++)this.codes[t*n+r]=e[(r-t+n)%n];this.read=new Float64Array(this.units*2*n),this.back=new Float64Array(this.units*2*n),this.change=new Float64Array(t.length),this.answers=new Float64Array(n*n*n),this.refresh()}refresh(){let{p:e,units:t,codes:n,read:r,back:i,weights:a,change:o,answers:s}=this;for(let i=0;i<t;i++)for(let t=0;t<2;t++)for(let o=0;o<e;o++){let s=0;for(let r=0;r<e;r++)s+=a[(i*3+t)*e+r]*n[o*e+r];r[(i*2+t)*e+o]=s}s.fill(0),i.fill(0),o.fill(0),this.loss=0;let c=new Float64Array(e);for(let l=0;l<e;l++)for(let u=0;u<e;u++){let d=(l*e+u)*e;for(let n=0;n<t;n++){let t=(r[n*2*e+l]+r[(n*2+1)*e+u])**2;for(let r=0;r<e;r++)s[d+r]+=a[(n*3+2)*e+r]*t}let f=(l+u)%e*e;for(let t=0;t<e;t++)c[t]=n[f+t]-s[d+t],this.loss+=c[t]**2;for(let n=0;n<t;n++){let t=r[n*2*e+l]+r[(n*2+1)*e+u],s=(n*3+2)*e,d=0;for(let n=0;n<e;n++)d+=c[n]*a[s+n],o[s+n]+=c[n]*t*t;i[n*2*e+l]+=2*t*d,i[(n*2+1)*e+u]+=2*t*d}}for(let r=0;r<t;r++)for(let t=0;t<2;t++)for(let a=0;a<e;a++){let s=i[(r*2+t)*e+a];for(let i=0;i<e;i++)o[(r*3+t)*e+i]+=s*n[a*e+i]}let l=1/(e*e);this.loss*=.5*l;for(let e=0;e<o.length;e++)o[e]*=l}get descent(){return this.change}step(e){for(let t=0;t<this.weights.length;t++)this.weights[t]+=e*this.change[t];this.refresh()}get right(){let{p:e,codes:t,answers:n}=this,r=0;for(let i=0;i<e;i++)for(let a=0;a<e;a++){let[o,s]=[0,-1/0];for(let r=0;r<e;r++){let c=0;for(let o=0;o<e;o++)c+=t[r*e+o]*n[(i*e+a)*e+o];c>s&&([o,s]=[r,c])}o===(i+a)%e&&r++}return r/(e*e)}};function t(e){let t=2654435769,n=608135816,r=e|0,i=1,a=()=>{let e=(t+n|0)+i|0;return i=i+1|0,t=n^n>>>9,n=r+(r<<3)|0,r=(r<<21|r>>>11)+e|0,(e>>>0)/4294967296};for(let e=0;e<20;e++)a();return a}function n(e){let n=t(e),r;return()=>{if(r!==void 0){let e=r;return r=void 0,e}let e=Math.sqrt(-2*Math.log(1-n())),t=2*Math.PI*n();return r=e*Math.sin(t),e*Math.cos(t)}}let r=.5;function i(e,t){let[n,r]=[0,0];for(let i=0;i<e.length;i++){let a=2*Math.PI*t*i/e.length;n+=e[i]*Math.cos(a),r-=e[i]*Math.sin(a)}return[n,r]}function a(e,t){return Array.from({length:e},(n,r)=>{let i=0;for(let n=1;n<=(e-1)/2;n++)i+=t**(n-1)*Math.cos(2*Math.PI*n*r/e);return i})}function o(e){let t=e.length;return Array.from({length:(t-1)/2},(n,r)=>{let[a,o]=i(e,r+1);return(a*a+o*o)/t})}function s(e,t,n,i,a){let[o,s,c,l,u]=[e,t,n,i,0];for(let e=0;e<1e5&&o*o+s*s+c*c<r*r;e++){let e=(e,t,n,r)=>[a*t*n*Math.cos(r),a*e*n*Math.cos(r),a*e*t*Math.cos(r),-a*Math.sin(r)*(t*n/e+e*n/t+e*t/n)],t=e(o,s,c,l),n=.01/Math.max(...[o,s,c].map((e,n)=>Math.abs(t[n])/e),Math.abs(t[3])),r=e(o+n/2*t[0],s+n/2*t[1],c+n/2*t[2],l+n/2*t[3]);o+=n*r[0],s+=n*r[1],c+=n*r[2],l+=n*r[3],u+=n}return u}function c(e,t){let n=e.length,r=t.length/(3*n);return Array.from({length:(n-1)/2},(a,o)=>{let c=o+1,[l,u]=i(e,c),[d,f]=[Math.hypot(l,u),Math.atan2(u,l)],p=Math.SQRT2*d**3*n**-1.5,m=Array.from({length:r},(e,r)=>{let a=[0,1,2].map(e=>i(t.subarray((r*3+e)*n,(r*3+e+1)*n),c)),[o,l,u]=a.map(([e,t])=>Math.sqrt(2/n)*Math.hypot(e,t)),[d,m,h]=a.map(([e,t])=>Math.atan2(t,e));return s(o,l,u,d+m-h-f,p)});return Math.min(...m)})}function l(e,t){let n=e[t];if(typeof n!=`number`)throw Error(`state has no number ${t}`);return n}function u(e,t){let n=e[t];if(typeof n!=`string`)throw Error(`state has no word ${t}`);return n}function d(e,t){let n=e[t];if(!Array.isArray(n))throw Error(`state has no grid ${t}`);return n}function f(e){let t=10**Math.floor(Math.log10(e));return t*([1,1.5,2,3,4,5,6,8].find(n=>n*t>=e*(1-1e-9))??10)}function p(e){return{kind:`slider`,id:`moment`,label:`Time`,min:0,max:1,step:.01,value:1,format:e,help:`The time at which the network is shown, as a fraction of the time axis. Play runs it from start to end.`}}var m=class{height;nodes=[];links=[];words=[];feet=[];constructor(e){this.height=e}column(e,t,n,r=()=>({})){let i=Math.min(1.35,this.height/Math.max(t.length,1)),a=t.map((n,a)=>(this.nodes.push({x:e,y:(this.height+i*(2*a+1-t.length))/2,...n?{label:n}:{},...r(a)}),this.nodes.length-1));return n&&this.feet.push({x:e,text:n}),a}node(e){return this.nodes.push(e)-1}join(e,t,n=()=>({})){e.forEach((e,r)=>t.forEach((t,i)=>{let a=n(r,i);a&&this.links.push({from:e,to:t,...a})}))}word(e,t,n){this.words.push({x:e,y:t,text:n})}done(e){let t=Math.max(...this.nodes.map(({y:e})=>e));return{caption:e,nodes:this.nodes,links:this.links,words:[...this.words,...this.feet.map(({x:e,text:n})=>({x:e,y:t+1.4,text:n}))]}}};let h=e=>Array.from({length:e},()=>void 0),g=e=>{let t=100*e;return`${t<.1?`below 0.1`:t<10?Number(t.toPrecision(2)):Math.round(t)}\\u00a0%`},_=e=>Number(e.toPrecision(3)).toString().replace(`-`,`−`),v=e=>String(Number(e.toPrecision(12))),y=[`no`,`one`,`two`,`three`,`four`,`five`,`six`,`seven`,`eight`];function b(e,t,n,r=!1){if(e===void 0||!Number.isFinite(e))return` The comparison with training appears after a network has been trained.`;let i=`prediction and training differ by ${g(e)} (area between the loss curves)`;return e<=.05?` ${t} ${r?`follow`:`follows`} the prediction: ${i}.`:e<=.1?` ${t} ${r?`stay`:`stays`} near the prediction, not exactly on it: ${i}.`:` ${t} ${r?`depart`:`departs`} visibly from the prediction, because ${n}: ${i}.`}let x=1-1e-6,S=e=>[`p`,`ratio`,`start`].map(t=>e[t]).join(` `),C;function w(e){let t=S(e);if(C?.key!==t){let[r,i]=[Number(u(e,`p`)),l(e,`ratio`)],s=a(r,i),d=n(2),p=new Float64Array(3*r*8*((r-1)/2)).map(()=>l(e,`start`)*d()),m=c(s,p),h=f(1.6*Math.max(...m));C={key:t,setting:{p:r,ratio:i,template:s,powers:o(s),weights:p,times:m,end:h}}}return C.setting}function*T(t){let{p:n,ratio:r,template:i,weights:a,end:o,powers:s}=w(t),c=new e(i,a),l=Math.max(.01,o/12e3),u=Math.ceil(o/l),d={times:[],loss:[],shares:s.map(()=>[])},f=()=>({...d,right:c.right,units:ee(c,n)}),p=0;for(let e=0;e<=u;e++)(e===u||e>=d.times.length*u/240)&&(d.times.push(e*l),d.loss.push(c.loss),s.forEach((e,t)=>d.shares[t].push(E(c.answers,n,t+1,r**t)))),e<u&&c.step(l),p+=6*n**3*c.units,p>6e6&&(p=0,yield f());yield f()}function E(e,t,n,r){let i=Array.from({length:t},(e,i)=>r*Math.cos(2*Math.PI*n*i/t)),a=0;for(let n=0;n<t;n++)for(let r=0;r<t;r++)for(let o=0;o<t;o++)a+=i[(o-n-r+2*t)%t]*e[(n*t+r)*t+o];return a/(t*t*i.reduce((e,t)=>e+t*t,0))}function ee({weights:e,units:t},n){let r=Array.from({length:t},(t,r)=>{let i=e.subarray((r*3+2)*n,(r*3+3)*n);return Array.from({length:(n-1)/2},(e,t)=>{let[r,a]=[0,0];return i.forEach((e,i)=>{r+=e*Math.cos(2*Math.PI*(t+1)*i/n),a+=e*Math.sin(2*Math.PI*(t+1)*i/n)}),Math.hypot(r,a)*Math.sqrt(2/n)})}),i=e=>e.indexOf(Math.max(...e));return r.sort((e,t)=>i(e)-i(t)||Math.max(...t)-Math.max(...e))}let te=e=>`wave ${e+1}`;function ne(e){return e.map((e,t)=>t).sort((t,n)=>e[t]-e[n])}function re(e,t){let{p:n,times:r,end:i,powers:a}=w(e),o=a.reduce((e,t)=>e+t,0),s=ne(r),c={label:`flow time`,values:[0,i],range:[0,i]},l=r.map((e,t)=>({label:te(t),x:[0,e*x,e,i],y:[0,0,1,1],colour:7+t%6})),u=[o];for(let e of s)u.push(u[u.length-1]-a[e]);let d={label:`prediction`,x:[0,...s.flatMap(e=>[r[e]*x,r[e]]),i],y:u.flatMap(e=>[e,e]).map(e=>Math.max(e,0)),colour:6},f=t&&t.times.length>2?t:void 0,p=f?.shares.map(e=>f.times[e.findIndex(e=>e>.5)]??NaN),m=(f?.shares??[]).map((e,t)=>({label:`trained network`,x:f.times,y:e,colour:7+t%6,role:`trained`,quiet:!0})),h=f?[{kind:`heat`,id:`units`,title:`Each unit specialises in one wave`,label:`strength`,sizes:!0,wide:!0,tall:!0,matrix:f.units,rows:f.units.map((e,t)=>`unit ${t+1}`),columns:a.map((e,t)=>te(t))}]:[];return{sentence:ie(n,s,r,p,f?.right),numbers:[{id:`before`,label:`loss before any wave`,value:o},{id:`after`,label:`loss after the strongest wave`,value:o-Math.max(...a)},{id:`first`,label:`first wave begins`,value:r[s[0]],unit:`flow time`},{id:`last`,label:`last wave begins`,value:r[s[s.length-1]],unit:`flow time`},...f?[{id:`right`,label:`fraction of correct sums`,value:f.right}]:[]],charts:[{kind:`lines`,id:`waves`,title:`How much of each wave is learned`,wide:!0,x:c,y:{label:`share learned`,range:[-.1,1.25]},lines:[...m,...l]},{kind:`lines`,id:`loss`,title:`Loss: one plateau for each wave`,wide:!0,x:c,y:{label:`loss`,range:[0,1.05*o]},lines:[...f?[{label:`trained network`,x:f.times,y:f.loss,colour:6,role:`trained`}]:[],d]},...h]}}function ie(e,t,n,r,i){let a=e=>e.map(e=>e+1).join(`, `),o=`On a clock of ${e} hours waves are predicted to begin in the order ${a(t)}, at ${t.map(e=>_(n[e])).join(`, `)}: then their first units become large.`;if(!r||i===void 0)return`${o} The comparison with training appears after a network has been trained.`;let s=ne(r).filter(e=>Number.isFinite(r[e]));if(!s.length)return`${o} The trained network has not learned a wave yet.`;let c=s.every((e,n)=>e===t[n]);return`${o} The trained network has half learned waves ${a(s)} at ${s.map(e=>_(r[e])).join(`, `)}: ${c?`the predicted order`:`not quite the predicted order`}. A wave needs several units, so it is half learned later than it begins. Now ${Math.round(100*i)} % of all sums are correct.`}function ae(e){let t=Number(u(e,`p`)),n=new m(8),[r,i]=[0,1].map(e=>n.node({x:4,y:2+4*e,shape:`square`,colour:e,label:e?`b`:`a`,side:`left`})),a=n.column(10,h(6),`squared units`),o=n.node({x:16,y:4,shape:`square`,colour:2,label:`a + b`,side:`right`});return n.join([r],a,()=>({colour:0,weight:.8})),n.join([i],a,()=>({colour:1,weight:.8})),n.join(a,[o],()=>({weight:.8})),n.done(`The inputs are two numbers from 0 to ${t-1}; the target is their sum on a clock of ${t} hours. Each number is coded by ${(t-1)/2} waves around the clock.`)}let oe={id:`addition`,title:`Addition`,question:`How does a network learn to add on a clock?`,paper:{text:`Kunin et al. 2025, Alternating gradient flows: a theory of feature learning in two-layer neural networks`,href:`https://arxiv.org/abs/2506.06489`},terms:[`wave`,`unit`,`saddle`,`loss`,`flow`],theory:{text:`The code of a number a is one vector, rotated by a places, so each of its waves is shifted by a times an angle. The answer to a and b is the code of a + b, modulo p. Units square what they read, so a product of two waves can become the wave of the sum. While units are small they do not affect each other, and each wave in each unit grows independently until it diverges. The first is the wave that is strongest in the code, in the unit with the best initial weights. The theory predicts the order and the plateaus. The predicted times are those of the first unit of each wave, before the other units follow. They become exact as the initial weights become small. In the equations, ρ is the size of wave k in the weights u, v and w of a unit, and ψ is the mismatch of their phases.`,equations:[`f(a, b) = Σ w_{i} (u_{i} · x_{a} + v_{i} · x_{b})^{2}`,`frac{d ρ_{u}}{d t} = C_{k} ρ_{v} ρ_{w} cos ψ,  C_{k} = sqrt{2} frac{|x_{k}|^{3}}{p^{3/2}}`,`frac{d ψ}{d t} = −C_{k} sin ψ ( frac{ρ_{v} ρ_{w}}{ρ_{u}} + frac{ρ_{u} ρ_{w}}{ρ_{v}} + frac{ρ_{u} ρ_{v}}{ρ_{w}} )`,`L = frac{1}{p} Σ |x_{k}|^{2}  \"over waves not yet learned\"`]},controls:[{kind:`choice`,id:`p`,label:`Hours of the clock`,value:`7`,options:[`5`,`7`,`11`].map(e=>({value:e,label:e})),help:`The modulus p; a clock of p hours has (p − 1)/2 waves.`},{kind:`slider`,id:`ratio`,label:`Strength of each wave / wave before`,min:.6,max:1,step:.05,value:.8,help:`How strong each wave is in the code of a number, relative to the wave before it.`},{kind:`slider`,id:`start`,label:`Initial weights`,min:.005,max:.05,step:.05,value:.015,log:!0,help:`Standard deviation of the random weights at time 0.`}],schematic:ae,ask:{prompt:`A network learns to add on a clock of seven hours, where 5 + 4 = 2. How does it learn all 49 sums?`,options:[`Sum by sum, the easy ones first`,`All sums alike, little by little`,`In a few sudden steps, each for all sums`],right:()=>2,because:`Each step is one wave around the clock. A wave is a part of every sum, and the strongest wave grows first.`},view:re,live:{label:`Train squared units`,key:S,run:T},python:e=>{let{p:t,ratio:n}=w(e);return[`import numpy as np`,``,`import festina as fs`,``,`p, ratio = ${t}, ${v(n)}`,`waves = np.arange(1, (p + 1) // 2)`,`code = (ratio ** (waves - 1) * np.cos(2 * np.pi * np.outer(np.arange(p), waves) / p)).sum(axis=1)`,`codes = np.array([np.roll(code, a) for a in range(p)])`,`a, b = np.divmod(np.arange(p * p), p)`,`task = fs.Task(np.hstack([codes[a], codes[b]]), codes[(a + b) % p])`,`powers = np.abs(np.fft.fft(code)[waves]) ** 2 / p`,`before = 0.5 * task.statistics.power`,`numbers = {\"before\": float(before), \"after\": float(before - powers.max())}`].join(`\n`)}};var se=class e{hidden;points;inputs;outputs;first;second;activity;y;error;places;values;on;back;constructor(e,t){this.hidden=t,this.points=e.x.length,this.inputs=e.x[0].length;let n=Math.ceil(e.y[0].length/4)*4;this.outputs=n,this.first=new Float64Array(t*this.inputs),this.second=new Float64Array(t*n),this.activity=new Float64Array(t*this.points),this.y=new Float64Array(this.points*n),e.y.forEach((e,t)=>this.y.set(e,t*n)),this.error=new Float64Array(this.y.length),this.on=new Int32Array(Math.max(t,this.points)),this.back=new Float64Array(this.points),this.places=e.x.map(e=>Int32Array.from(e.flatMap((e,t)=>e===0?[]:[t]))),this.values=e.x.map(e=>Float64Array.from(e.filter(e=>e!==0)))}static random(t,r,i,a){let o=new e(t,r),s=n(a);for(let e=0;e<o.first.length;e++)o.first[e]=i*s();let c=t.y[0].length;for(let e=0;e<r;e++)for(let t=0;t<c;t++)o.second[e*o.outputs+t]=i*s();return o}static from(t,n){let r=new e(t,n.first.length);return r.first.set(n.first.flat()),n.second.forEach((e,t)=>e.forEach((e,n)=>r.second[n*r.outputs+t]=e)),r}loss(){let{hidden:e,points:t,inputs:n,outputs:r,first:i,second:a,activity:o,error:s,y:c,on:l}=this,u=0;for(let d=0;d<t;d++){let f=this.places[d],p=this.values[d],m=0;for(let r=0;r<e;r++){let e=0;for(let t=0;t<f.length;t++)e+=i[r*n+f[t]]*p[t];o[r*t+d]=e>0?e:0,e>0&&(l[m++]=r)}for(let e=0;e<r;e+=4){let n=d*r+e,i=-c[n],f=-c[n+1],p=-c[n+2],h=-c[n+3];for(let n=0;n<m;n++){let s=l[n],c=o[s*t+d],u=s*r+e;i+=c*a[u],f+=c*a[u+1],p+=c*a[u+2],h+=c*a[u+3]}s[n]=i,s[n+1]=f,s[n+2]=p,s[n+3]=h,u+=i*i+f*f+p*p+h*h}}return u/(2*t)}step(e){let t=this.loss(),{hidden:n,points:r,inputs:i,outputs:a,first:o,second:s,activity:c,error:l,on:u,back:d}=this,f=e/r;for(let e=0;e<n;e++){let t=0;for(let n=0;n<r;n++)c[e*r+n]>0&&(d[t]=0,u[t++]=n);for(let n=0;n<a;n+=4){let i=e*a+n,o=s[i],p=s[i+1],m=s[i+2],h=s[i+3],g=0,_=0,v=0,y=0;for(let i=0;i<t;i++){let t=u[i],s=c[e*r+t],f=t*a+n,b=l[f],x=l[f+1],S=l[f+2],C=l[f+3];g+=s*b,_+=s*x,v+=s*S,y+=s*C,d[i]+=b*o+x*p+S*m+C*h}s[i]=o-f*g,s[i+1]=p-f*_,s[i+2]=m-f*v,s[i+3]=h-f*y}for(let n=0;n<t;n++){let t=this.places[u[n]],r=this.values[u[n]],a=f*d[n];for(let n=0;n<t.length;n++)o[e*i+t[n]]-=a*r[n]}}return t}sizes(){let{hidden:e,points:t,outputs:n,activity:r,second:i}=this;return new Float64Array(e).map((e,a)=>{let o=0,s=0;for(let e=0;e<t;e++)o+=r[a*t+e]**2;for(let e=0;e<n;e++)s+=i[a*n+e]**2;return Math.sqrt(o*s)})}};let ce=[[1/5],[3/40,9/40],[44/45,-56/15,32/9],[19372/6561,-25360/2187,64448/6561,-212/729],[9017/3168,-355/33,46732/5247,49/176,-5103/18656],[35/384,0,500/1113,125/192,-2187/6784,11/84]],le=[71/57600,0,-71/16695,71/1920,-17253/339200,22/525,-1/40];function ue(e){let t=e*e*(3-2*e),n=(e*(e-1))**2;return[t*35/384+e*(e-1)**2-n*5*(2558722523-31403016*e)/11282082432,0,t*500/1113+n*100*(882725551-15701508*e)/32700410799,t*125/192-n*25*(443332067-31403016*e)/1880347072,t*-2187/6784+n*32805*(23143187-3489224*e)/199316789632,t*11/84-n*55*(29972135-7076736*e)/822651844,e*e*(e-1)+n*10*(7414447-829305*e)/29380423]}function de(e,t,n,r,i,a){let o=t.length,s=Array.from({length:7},()=>new Float64Array(o)),c=Float64Array.from(t),l=new Float64Array(o),u=new Float64Array(o),d=new Float64Array(o),f=new Float64Array(o),p=n[n.length-1]??0,m=0,h=0,g=p/1e3;for(;h<n.length&&n[h]<=0;h++)if(a(h,c)===!0)return;e(c,s[0]);for(let t=0;h<n.length;t++){if(t>1e5)throw Error(`the integration takes too many steps`);let _=Math.min(g,p-m);for(let t=0;t<6;t++)fe(l,c,s,ce[t],_),e(l,s[t+1]);fe(d,f,s,le,_);let v=0;for(let e=0;e<o;e++){let t=i+r*Math.max(Math.abs(c[e]),Math.abs(l[e])),n=Math.abs(d[e])/t;n<=v||(v=n)}if(!Number.isFinite(v)){if(_<1e-12*p)throw Error(`the integration left the finite numbers`);g=.1*_;for(let e of s.slice(1))e.fill(0);continue}if(g=_*Math.min(5,Math.max(.2,.9*Math.max(v,1e-10)**-.2)),v>1)continue;let y=_<p-m?m+_:p;for(u.set(l);h<n.length&&n[h]<=y;h++)if(n[h]<y?fe(l,c,s,ue((n[h]-m)/_),_):l.set(u),a(h,l)===!0)return;m=y,c.set(u),s[0].set(s[6])}}function fe(e,t,n,r,i){for(let a=0;a<r.length;a+=3){let o=a===0?t:e,[s,c,l]=[n[a],n[a+1]??t,n[a+2]??t],[u,d,f]=[i*r[a],i*(r[a+1]??0),i*(r[a+2]??0)];for(let t=0;t<e.length;t++)e[t]=o[t]+u*s[t]+d*c[t]+f*l[t]}}let pe=[{square:15,modes:1},{square:7,modes:1},{square:3,modes:2},{square:1,modes:4}],me=Math.sqrt(8);function he(e){let t=(Math.sqrt(e+1)-1)/e;return Array.from({length:e},(n,r)=>new Float64Array(e).map((e,n)=>t+ +(n===r)))}function ge(e,t){let n=8*e,r=[],i=[];for(let{square:a,modes:o}of pe){let s=Math.sqrt(a)/n,c=a===pe[0].square;for(let n=0;n<o;n++){if(c&&t===e){r.push(s*Math.sqrt((e+1)*(e+8)));for(let t=1;t<e;t++)r.push(s*Math.sqrt(8))}else r.push(s*Math.sqrt(t*t+t));c||i.push(s*Math.sqrt(t*(e-t)/e))}}return{raw:r.sort((e,t)=>t-e),left:i.sort((e,t)=>t-e)}}function _e(e,t,n,r,i=1e-7){let a=r.map(()=>0),o=t.map(()=>r.map(()=>0)),s=8*e,c=he(e),l=t.map((e,t)=>t).filter(e=>t[e].some(Boolean));for(let{square:u,modes:d}of pe){let f=Math.sqrt(u),p=ve(e,l.map(e=>t[e]),u===pe[0].square),m=ye(e,p,c,Math.sqrt(n)),h=Float64Array.from(c.flatMap(e=>Array.from(e,e=>f*e))),g=new Float64Array(h.length),_=p.map(({hidden:t})=>new Float64Array(t>1?t*e:0)),v=new Float64Array(e),y=t=>{g.set(h);for(let n=0;n<p.length;n++){let{at:r,out:i,hidden:a,features:o,open:s}=p[n];if(a===1){let n=t[r];for(let r=0;r<e;r++){let a=n*t[i+r];for(let t=0;t<s.length;t++)g[s[t]*e+r]-=a}continue}let c=_[n];for(let n=0;n<a;n++){let a=r+n*o;for(let r=0;r<e;r++){let o=t[a]+me*t[a+r+1];c[n*e+r]=o;for(let a=0;a<e;a++)g[r*e+a]-=o*t[i+n*e+a]}}}};de((t,n)=>{y(t);for(let r=0;r<p.length;r++){let{at:i,out:a,hidden:o,features:c,open:l}=p[r];if(o===1){let r=t[i]/s,o=0;for(let i=0;i<e;i++){let s=0;for(let t=0;t<l.length;t++)s+=g[l[t]*e+i];n[a+i]=r*s,o+=t[a+i]*s}n[i]=o/s;continue}let u=_[r];for(let r=0;r<o;r++){let o=i+r*c;v.fill(0);let l=0;for(let i=0;i<e;i++){let c=u[r*e+i],d=0;for(let n=0;n<e;n++){let o=g[i*e+n];d+=t[a+r*e+n]*o,v[n]+=c*o}l+=d,n[o+i+1]=me*d/s}n[o]=l/s;for(let t=0;t<e;t++)n[a+r*e+t]=v[t]/s}}},m,r,i,i*Math.sqrt(n),(t,n)=>{y(n);let r=0;for(let e of g)r+=e*e;a[t]+=d*r/(2*s),p.forEach((r,i)=>o[l[i]][t]+=d*be(r,n,e))})}return{times:[...r],loss:a,strengths:o.map(e=>e.map(Math.sqrt))}}function ve(e,t,n){let r=0;return t.map(t=>{let[i,a]=n&&t.every(Boolean)?[e,e+1]:[1,1],o=Array.from(t.keys()).filter(e=>t[e]),s={at:r,out:r+i*a,hidden:i,features:a,open:o};return r+=i*(a+e),s})}function ye(e,t,n,r){let i=t.at(-1),a=new Float64Array(i?i.at+i.hidden*(i.features+e):0);for(let{at:i,out:o,hidden:s,features:c,open:l}of t)if(s>1){let t=Math.sqrt(e+8);for(let n=0;n<s;n++){a[i+n*c]=r/t;for(let o=0;o<e;o++)a[i+n*c+o+1]=r*(+(n===o)-(1-me/t)/e);a[o+n*e+n]=r}}else{let t=0;for(let r=0;r<e;r++){let e=0;for(let t of l)e+=n[t][r];a[o+r]=e,t+=e*e}for(let n=0;n<e;n++)a[o+n]*=r/Math.sqrt(t);a[i]=r}return a}function be({at:e,out:t,hidden:n,features:r},i,a){let o=0;for(let s=0;s<a;s++)for(let c=0;c<r;c++){let l=0;for(let o=0;o<n;o++)l+=i[t+o*a+s]*i[e+o*r+c];o+=l*l}return o}function xe(e){let t=[[-1,-1],[1,-1],[-1,1],[1,1]];return{x:t.map(([t,n])=>[t,n,-t*n*e]),y:t.map(([e,t])=>[-e*t])}}function Se(e){let t=he(e),n=Ce(),r=[],i=[];for(let a=0;a<e;a++)for(let o=0;o<8;o++){let s=Array(8+e).fill(0);s[o]=1,s[8+a]=1,r.push(s),i.push(n.flatMap(({sigma:e,vector:n})=>Array.from(t[a],t=>e*n[o]*t)))}return{x:r,y:i}}function Ce(){return pe.flatMap(({square:e,modes:t},n)=>{let r=n===0?8:8/t;return Array.from({length:t},(t,i)=>{let a=Array.from({length:8},(e,t)=>Math.floor(t/r)===i?(n>0&&t%r>=r/2?-1:1)/Math.sqrt(r):0);return{sigma:Math.sqrt(e),vector:a}})})}function D(e,t,n){for(let r=0;r<t.length;r++){if(!(t[r]<=n))continue;if(r===0)return e[0];let i=(t[r-1]-n)/(t[r-1]-t[r]);return e[r-1]+i*(e[r]-e[r-1])}return 1/0}function O(e,t,n){let r=Math.min(e.length,t.length,n.length),i=0,a=0;for(let o=1;o<r;o++){let r=(e[o]-e[o-1])/2;i+=r*(Math.abs(t[o]-n[o])+Math.abs(t[o-1]-n[o-1])),a+=r*(n[o]+n[o-1])}return a>0?i/a:NaN}let k=.05,we=.004;function Te(e){let[t,n]=[l(e,`contexts`),l(e,`units`)],r=l(e,`scale`)/n,i=we*8*t,a=Math.floor(n/2)*r*r/2,o=Math.max(1,Math.round(De(t,a)/we/200));return{contexts:t,units:n,std:r,rate:i,start:a,every:o,times:Array.from({length:201},(e,t)=>t*o*i)}}let Ee=/* @__PURE__ */ new Map;function De(e,t){let n=`${e} ${t}`,r=Ee.get(n);if(r===void 0){let i=Array.from({length:81},(t,n)=>64*e*n/80),{loss:a}=_e(e,Oe(e,`but_one`),t,i),o=D(i,a,k*4)/(8*e);r=Math.min(8,1.8*o),Ee.set(n,r)}return r}function Oe(e,t){let n=t=>Array.from({length:e},(e,n)=>t(n)),r=Array.from({length:e},(e,t)=>t),i=r.map(t=>n(n=>n!==e-1-t)),a=r.map(e=>n(t=>t===e)),o=[n(()=>!0)];for((t===`but_one`||t===`all`)&&o.push(...i),(t===`single`||t===`all`&&e>2)&&o.push(...a);o.length<ke(e);)o.push(n(()=>!1));return o}function ke(e){return e>2?2*e+1:3}let Ae;function je(e,t){let n=JSON.stringify([e.contexts,e.start,t]);return Ae?.key!==n&&(Ae={key:n,race:_e(e.contexts,t,e.start,e.times)}),Ae.race}function*Me(e){let{contexts:t,units:n,std:r,rate:i,every:a,times:o}=Te(e),s=Se(t),c=Array.from({length:3},(e,t)=>se.random(s,n,r,t)),l=c.map(e=>[e.loss()]),u=3*a*3*(8*t)**2*n,d=Math.max(1,Math.round(2e7/u));for(let e=1;e<o.length;e++)c.forEach((e,t)=>{for(let t=0;t<a;t++)e.step(i);l[t].push(e.loss())}),e%d===0&&e<o.length-1&&(yield{losses:l.map(e=>[...e])});yield{losses:l,shares:Ne(c,t)}}function Ne(e,t){let n=Array(t-1).fill(0);for(let r of e){let i=Array(t).fill(0),a=r.sizes();for(let e=0;e<r.hidden;e++){let n=Array.from({length:t},(t,n)=>{let i=0;for(let t=0;t<8;t++)i+=r.activity[e*r.points+n*8+t];return i}),o=Math.max(...n),s=n.filter(e=>e>.1*o).length;s>0&&(i[s-1]+=a[e])}let o=i.slice(0,-1).reduce((e,t)=>e+t,0);o>0&&n.forEach((t,r)=>n[r]+=i[r]/o/e.length)}return n}function A(e,t){if(e===t)return{label:`common, open in all contexts`,colour:6,dash:`solid`};let n=e===1?`open in 1 context`:`open in ${e} contexts`;return e===t-1?{label:n,colour:1,dash:`dash`}:e===1?{label:n,colour:0,dash:`dot`}:{label:n,colour:e===2?2:3,dash:`dashdot`}}function Pe(e,t){let n=Array(t+1).fill(0);for(let t of e)n[t.filter(Boolean).length]++;let r=[];n[t]&&r.push(n[t]===1?`a common pathway`:`${n[t]} common pathways`);for(let e=t-1;e>0;e--){let t=n[e];if(!t)continue;let i=t===1?``:` each`;r.push(`${y[t]??t} open in ${e===1?`one context`:`${y[e]} contexts`}${i}`)}let i=r.pop();return i===void 0?`no pathway at all`:r.length?`${r.join(`, `)} and ${i}`:i}function Fe(e){let t=l(e,`contexts`),n=d(e,`gates`).filter(e=>e.some(Boolean)),r=new m(9),i=r.column(4,[...Array.from({length:3},()=>`item`),`…`,...Array.from({length:t},(e,t)=>`context ${t+1}`)],`inputs`,()=>({side:`left`})),a=n.slice(0,7),o=r.column(10,a.map(e=>e.map(e=>e?`●`:`○`).join(``)),`pathways`,e=>({colour:A(a[e].filter(Boolean).length,t).colour,side:`right`})),s=r.column(16,[void 0,void 0,void 0,void 0,void 0],`properties`),c=e=>({colour:A(a[e].filter(Boolean).length,t).colour,weight:.7});r.join(i,o,(e,t)=>e<4||a[t].every(Boolean)?c(t):void 0),r.join(o,s,e=>c(e));let u=n.length>a.length?` (${n.length-a.length} more are not drawn)`:``;return r.done(`Eight items in ${y[t]} contexts; each pathway is a linear network that is open (●) in some contexts and closed (○) in others${u}.`)}let Ie={id:`contexts`,title:`Contexts`,question:`Which pathways does a ReLU network share between contexts?`,paper:{text:`Jarvis, Klein, Rosman and Saxe 2025, sections 4 and 5`,href:`https://arxiv.org/abs/2503.06181`},terms:[`relu`,`pathway`,`context`,`gating`,`singular`,`flow`],theory:{text:`Eight items have properties that all contexts share and properties that belong to one context; each block is a hierarchy. A gated network has pathways that are open in some of the contexts. A pathway that is open in all contexts sees items and contexts; the others see items only. Every pathway starts at strength nσ²/2, where n is half of the ReLU network's units, because a random unit is active at a data point with probability ½. All pathways are integrated jointly from the start. On the residual of the common pathway, pathways open in one context and pathways open in all but one would be equally fast. Pathways open in more contexts see more of the raw targets while the common pathway is still learning, so they start ahead. The gates are fixed here, but a ReLU network changes its gates. Agreement falls as the number of contexts grows.`,equations:[`frac{d B_{p}}{d t} = frac{1}{N} Σ_{c∈p} ( y_{c} − Σ_{j∋c} B_{j} A_{j} ) A_{p}^{T},  N = 8 C,  \"and likewise\" A_{p}`,`\"raw targets, open in\" k \"contexts:\"  S = frac{σ}{N} sqrt{k^{2} + k}`,`\"residual of the common pathway:\"  S = frac{σ}{N} sqrt{k (1 − k/C)}`,`σ^{2} = 15, 7, 3, 3, 1, 1, 1, 1`]},controls(e){let t=typeof e.contexts==`number`?e.contexts:3,n={kind:`grid`,id:`gates`,label:`Open in context`,help:`Each row is a pathway; click where it is to be open. Empty rows are ignored.`,rows:Array.from({length:ke(t)},(e,t)=>`pathway ${t+1}`),columns:Array.from({length:t},(e,t)=>`${t+1}`),value:Oe(t,`but_one`)},r=(e,t,n)=>({kind:`button`,id:e,label:t,help:n,press:t=>({gates:Oe(l(t,`contexts`),e)})});return[{kind:`slider`,id:`contexts`,label:`Contexts C`,help:`How many contexts the eight items appear in.`,min:2,max:5,step:1,value:3},n,r(`but_one`,`All but one`,`A common pathway, and for each context one pathway that is closed there: the result of the paper.`),r(`single`,`Single`,`A common pathway, and one pathway per context that is open there only.`),r(`all`,`Both kinds`,`A common pathway, and both kinds in competition: closed in one context, and open in one context.`),r(`common`,`Common alone`,`One pathway that is always open: a linear network.`),{kind:`slider`,id:`scale`,label:`Initial scale σN`,help:`Standard deviation σ of the initial weights times the number N of hidden units; 0.005 in the paper.`,min:.001,max:1,step:.1,value:.005,log:!0},{kind:`slider`,id:`units`,label:`Hidden units N`,help:`Width of the ReLU networks; the paper has 500 to 700, which takes longer to train here.`,min:50,max:500,step:50,value:200},p(e=>`${Math.round(100*e)} %`)]},schematic:Fe,ask:{prompt:`Eight items have some properties in every context and others in one context only. Which units will a ReLU network build for the properties of a single context?`,options:[`Units that are active in that one context`,`Units that are active in all contexts but one`],right:e=>{let t=l(e,`contexts`);return+(ge(t,t-1).raw[0]>ge(t,1).raw[0])},because:`A unit that is active in more contexts sees more of the targets at the start, so it is ahead in the competition for the residual.`},view(e,t){let n=Te(e),{contexts:r,units:i,times:a}=n,o=d(e,`gates`),s=je(n,o),c=o.map(e=>e.filter(Boolean).length),u=D(a,s.loss,k*4),f=s.loss.at(-1),p=a.at(-1)*l(e,`moment`),m=(t?.losses??[]).map((e,t)=>({label:t?`ReLU network, seed ${t}`:`ReLU networks, ${i} units`,x:a.slice(0,e.length),y:e,colour:6,role:`trained`,among:3,quiet:t>0})),h=t?.shares&&a.map((e,n)=>t.losses.reduce((e,t)=>e+t[n],0)/t.losses.length),_=h&&O(a,s.loss,h),v=h&&D(a,h,k*4),y=/* @__PURE__ */ new Set,b=[];o.forEach((e,t)=>{let n=c[t];if(n===0)return;let i=A(n,r);b.push({...i,label:y.has(n)?`${i.label}, pathway ${t+1}`:i.label,quiet:y.has(n),y:s.strengths[t]}),y.add(n)});let x=[...y].sort((e,t)=>t-e),S=y.has(r),C=x.flatMap(e=>{let{label:t,colour:n}=A(e,r),{raw:i,left:a}=ge(r,e),o=Array.from(i.keys(),e=>e+1),s=[{label:e===r?t:`${t}, raw targets`,x:o,y:i,colour:n}];return S&&e<r&&s.push({label:`${t}, residual`,x:o.slice(0,a.length),y:a,colour:n,dash:e===r-1?`dash`:`dot`}),s}),w=[{id:`time`,label:`this gating, flow time to ${g(k)} of the loss`,value:u,format:Le},...v===void 0?[]:[{id:`time_relu`,label:`ReLU networks, flow time to the same loss`,value:v,format:Le}],{id:`loss_end`,label:`this gating, final loss`,value:f},..._===void 0?[]:[{id:`area`,label:`area between the loss curves`,value:_,format:e=>e.toFixed(3)}]],T=x.find(e=>e<r);if(T!==void 0){let{raw:e,left:t}=ge(r,T);w.push({id:`s_raw`,label:`S₁, raw targets, ${A(T,r).label}`,value:e[0]}),S&&w.push({id:`s_left`,label:`S₁, residual of the common pathway`,value:t[0]})}return{sentence:Re(o,n,{learned:u,end:f,gap:_,taught:v},t?.shares),numbers:w,charts:[{kind:`lines`,id:`loss`,title:`Loss`,wide:!0,x:{label:`flow time (step size × steps)`,values:a,range:[0,a.at(-1)]},y:{label:`loss`},moment:p,lines:[...m,{label:`this gating, predicted`,y:s.loss,colour:6}],marks:[{axis:`y`,at:k*4,label:`learned`,side:`left`}]},{kind:`lines`,id:`strengths`,title:`Strength of each pathway`,x:{label:`flow time (step size × steps)`,values:a,range:[0,a.at(-1)]},y:{label:`strength ‖W‖ of its map`},moment:p,lines:b},{kind:`lines`,id:`values`,title:`Effective singular values`,x:{label:`mode of the pathway`,values:Array.from({length:8+r-1},(e,t)=>t+1)},y:{label:`singular value S`},lines:C}]}},live:{label:`Train ${y[3]} ReLU networks`,key:e=>[`contexts`,`scale`,`units`].map(t=>e[t]).join(),run:Me},python(e){let{contexts:t,units:n,times:r}=Te(e),i=d(e,`gates`).filter(e=>e.some(Boolean)),a=[`import numpy as np`,`import festina as fs`,``,`task = fs.tasks.context(${t})`];if(!i.length)return[...a,`numbers = {\"time\": np.inf, \"loss_end\": task.statistics.power / 2}`].join(`\n`);let o=i.map(e=>e.filter(Boolean).length),s=Math.max(0,...o.filter(e=>e<t)),c=[...a,`open_in = np.array([${i.map(e=>`[${e.map(Number).join(`, `)}]`).join(`, `)}])`,`std, units = ${l(e,`scale`)} / ${n}, ${n}`,`gates = np.repeat(open_in, 8, axis=1)`,`always = open_in.all(axis=1)`,`inputs = [None if a else range(8) for a in always]`,`widths = [${8+t-1} if a else 8 for a in always]`,`start = fs.gated.Decoupled.expected(std, {f\"pathway {i + 1}\": units // 2 for i in range(len(gates))})`,`network = fs.gated.pathways(gates, widths, inputs=inputs, initial=start)`,`times = np.linspace(0, ${v(r.at(-1))}, ${r.length})`,`path = fs.evolve(network, task, times, method=fs.Reduced())`,`numbers = {`,`    \"time\": float(path.first_passage(${k} * task.statistics.power / 2)),`,`    \"loss_end\": float(path.loss[-1]),`,`}`];if(s>0){let e=`pathway ${o.indexOf(s)+1}`;c.push(`def largest(task):`,`    statistics = task.statistics(network)`,`    p = [label.split(\" → \")[1] for label in statistics.labels].index(\"${e}\")`,`    return float(statistics.effective[p].strengths[0])`,`numbers[\"s_raw\"] = largest(task)`),o.includes(t)&&c.push(`linear = np.linalg.lstsq(task.x, task.y, rcond=None)[0]`,`numbers[\"s_left\"] = largest(fs.Task(task.x, task.y - task.x @ linear))`)}return c.join(`\n`)}},Le=e=>Number.isFinite(e)?e.toFixed(1):`after the time shown`;function Re(e,{contexts:t,times:n},{learned:r,end:i,gap:a,taught:o},s){let c=Pe(e,t),l=Number.isFinite(r)?`With ${c}, the gated network has learned ${y[t]} contexts at flow time ${r.toFixed(0)}`:`With ${c}, the gated network still has loss ${i.toFixed(2)} of 4 at flow time ${n.at(-1).toFixed(0)}`;if(a===void 0||!s)return`${l}.${b(void 0,``,``)}`;let u=o!==void 0&&Number.isFinite(o)?`, the trained ReLU networks at ${o.toFixed(0)}`:`; the trained ReLU networks have not learned in the time shown`,d=s.indexOf(Math.max(...s))+1,f=d===1?`a single context`:`${y[d]} contexts`;return`${l}${u}.${b(a,`They`,`their units choose and change their gates, while the gated network's gates are fixed`,!0)} ${g(s[d-1])} of their contextual activity is in units that are active in ${f}.`}function ze(e,t,n,r){let{s:i,d:a}=t;if(r===1)return e.map(e=>n*Math.exp(-a*e)-i/a*Math.expm1(-a*e));if(r===2)return e.map(e=>Be(e,t,n,0)[0]);let o=i/a,s=n/o;if(r===1/0)return Ue(e,t,n);let c=r*i*o**(1-2/r);if(s===0||s===1)return e.map(()=>n);if(s<1){let t=Xe(s,2/r-1);return e.map(e=>e>0?o*t(c*e):n)}let l=Xe(s,2-2/r);return e.map(e=>e>0?o/l(c*e):n)}function Be(e,{s:t,d:n},r,i){let a=r*i,o=Math.hypot(t,2*n*Math.sqrt(r)*Math.sqrt(i)),s=o>0?Math.exp(-2*o*e):1,c=o>0?-Math.expm1(-2*o*e)*n/o:n>0?2*n*e:0,l=o>0?(t+o)/(2*o):.5,u=o>0?2*n*n*a/(o*(o+t)):.5,d=(e,t,n)=>e>0?(e*(t+n*s)+(a>0?a*c:0))/(e*c+t*s+n):0;return[d(r,l,u),d(i,u,l)]}function Ve(e,t,n,r){let i=Math.hypot(r,2*n),a=n>=0?(i+2*n)/4:r**2/(4*(i-2*n)||1),o=n<0?(i-2*n)/4:r**2/(4*(i+2*n)||1);return e.map(e=>{let[n,r]=Be(e,t,a,o);return n-r})}function j(e,{s:t,d:n},r,i){let a=t/n;if(!(r<=e&&e<a||r>=e&&e>a)||!(r>0||i===1))return e===r?0:1/0;let[o,s]=[e/a,r/a];if(i===1)return Math.log1p((o-s)/(1-o))/n;if(i===2)return Math.log1p((o-s)/(s*(1-o)))/(2*t);let c=s>1,l=qe(c?2-2/i:2/i-1),u=e=>{let t=c?Math.abs(1-e)/e:Math.abs(1-e);return l(c?1/e:e,t,Math.log(t))};return(u(o)-u(s))/((i===1/0?1:i)*t*a**(1-2/i))}function He({s:e,d:t},n){return 1/(t*n*(e/t)**(2-2/n))}function Ue(e,{s:t,d:n},r){let i=t/(n*r)-1;if(r===0||i===0||!Number.isFinite(i))return e.map(()=>r);if(i<0){let i=Xe(n*r/t,2);return e.map(e=>e>0?t/n/i(t*t/n*e):r)}return e.map(e=>e>0?t/n/(1+We(Math.log(i)+i-t*t/n*e)):r)}function We(e){if(e===-1/0)return 0;if(e<-50)return Math.exp(e);let t=e<1?Math.exp(Math.min(e,0))/(1+Math.exp(Math.min(e,0)))+1e-300:e-Math.log(e);for(let n=0;n<200;n++){let n=(t+Math.log(t)-e)/(1+t);if(t*=Math.exp(-n),Math.abs(n)<1e-15*(1+1/t)||Math.abs(n)<1e-16)break}return t}function Ge(e){let[t,n]=[0,e];for(;n<10;n++)t-=1/n;let r=1/(n*n),i=r*(1/12-r*(1/120-r*(1/252-r*(1/240-r*(1/132-r*691/32760)))));return t+Math.log(n)-.5/n-i}function Ke(e,t){return Math.abs(e)>.25?t**e/e:e?Math.expm1(e*Math.log(t))/e:Math.log(t)}function qe(e){let t=Je.get(e);return t||(t=Ye(e),Je.set(e,t)),t}let Je=/* @__PURE__ */ new Map;function Ye(e){let t=/* @__PURE__ */ new Float64Array(64),n=/* @__PURE__ */ new Float64Array(64),r=-.5772156649015329;for(let i=0;i<64;i++)t[i]=r-Ge(e+Math.max(i,2)),n[i]=(e+i)/(i+1),r+=1/(i+1);return(r,i,a)=>{let o=0;if(r<.5){let t=r**(e+2);for(let n=0;n<64&&t>1e-18*o;n++)o+=t/(e+2+n),t*=r}else{let s=1;o=i;for(let e=0;e<64;e++){let r=s*(t[e]-a);if(o+=r,s*=n[e]*i,e>2&&Math.abs(r)<1e-18*Math.abs(o))break}o*=r**e}return Ke(e,r)+Ke(e+1,r)+o}}function Xe(e,t){let n=qe(t),r=e>1?(e-1)/e:1-e,i=e>1?1/e:e,a=Math.log(i)-Math.log(r),o=n(i,r,Math.log(r));return e=>{if(e===1/0)return 1;let s=e*i**-t;if(!(s>1e-9))return i+i*r*s;let c=a+Math.min(e,s),l=a+Math.max(e,s),u=i**t+t*e,d=u>0?Math.log(u)/(t||1):0;d=u>0&&d<0?d-Math.log1p(-Math.exp(Math.min(d,-1e-12))):e+a;let f=Math.min(Math.max(Number.isFinite(d)?d:a,c),l),p=i;for(let r=0;r<200;r++){let r=1/(1+Math.exp(-f)),i=1/(1+Math.exp(f)),a=n(r,i,f>0?-f-Math.log1p(Math.exp(-f)):-Math.log1p(Math.exp(f)))-(o+e),s=a*r**-t;p=r-r*i*s,a<=0&&(c=f),a>=0&&(l=f);let u=f-s;if(!(Math.abs(s)>1e-9+4*2**-52*Math.abs(f)))break;f=u>=c&&u<=l?u:.5*(c+l)}return p}}function M({eigenvalues:e,length:t}){let n=e.reduce((e,t)=>e+t,0),r=e.map(e=>e**2),i=e.map((e,i)=>r[i]*((1+1/t)*e+n/t));return{s:r,c:i,ends:r.map((e,t)=>e/i[t]),trace:n}}function Ze(e,t){return Math.abs(e)<1e-14*t?0:e}function Qe(e){let{s:t,ends:n,trace:r}=M(e),i=[.5*r];return t.forEach((e,t)=>i.push(i[t]-.5*e*n[t])),i.map(e=>Ze(e,r))}function $e({eigenvalues:e},t,n){let{s:r,c:i,trace:a}=M({eigenvalues:e,length:n}),o=e.length,s=a;for(let n=0;n<o;n++){s-=2*r[n]*t[n*o+n];for(let r=0;r<o;r++)s+=t[n*o+r]**2*(i[n]/e[n])*e[r]}return Ze(.5*s,a)}function et(e,t){let{eigenvalues:n}=e,{c:r,ends:i,trace:a}=M(e),o=n.length;return Array.from({length:o+1},(e,s)=>{let c=0;for(let e=0;e<o;e++)for(let a=0;a<o;a++){let l=t[e*o+a]-(e===a&&e<s?i[e]:0);c+=l*l*(r[e]/n[e])*n[a]}return c/a})}function tt(e){let t=e.length;return Array.from({length:t*t},(n,r)=>r%(t+1)?0:e[r/(t+1)])}function nt({s:e,c:t,start:n},r){return ze(r,{s:e,d:t},n,3)}function N({s:e,c:t,start:n},r){return j(r*e/t,{s:e,d:t},n,3)}function rt(e,t,n){let{s:r,c:i}=M(e);return r.slice(0,t).map((e,t)=>({component:t,head:t,s:e,c:i[t],start:n**3}))}function it(e){let t=0;for(let n=0;n+1<e.length;n++){let r=N(e[n+1],.5)-N(e[n],.5);t=Math.max(t,(N(e[n],.9)-N(e[n],.1))/Math.max(r,1e-300))}return t}let at=(e,t,n)=>Array.from({length:n},(r,i)=>e*(t/e)**(i/(n-1))),P=[...at(1e-4,.02,16).slice(0,-1),...Array.from({length:97},(e,t)=>.02+.01*t),...at(.02,1e-6,16).slice(1).map(e=>1-e)],ot=1e-8;function st(e,t){if(t<=e[0])return P[0];let n=e.length-1;if(t>=e[n])return P[n];let[r,i]=[0,n];for(;i-r>1;){let n=r+i>>1;e[n]<=t?r=n:i=n}return P[r]+(P[i]-P[r])*(t-e[r])/(e[i]-e[r])}function ct(e,t){let{s:n,c:r,ends:i}=M(e),a=Math.sqrt(3)*Math.cbrt(Math.max(...i)),o=new Map(t.value.map((e,n)=>[n,[e,...t.key[n],...t.query[n]]])),s=[],c=[];for(;o.size&&s.length<n.length;){let e;for(let[t,r]of o){let i=lt(r,n,s,a);(!e||i.time<e.time)&&(e={head:t,...i})}if(!e||!Number.isFinite(e.time))break;let t=e.unit.slice(1,1+n.length).map((e,t)=>s.some(({component:e})=>e===t)?0:Math.abs(e)),i=t.indexOf(Math.max(...t)),l={component:i,head:e.head,s:n[i],c:r[i],start:(n[i]*e.time)**-3,time:e.time};c.push(l),s.push({component:i,times:P.map(e=>e*l.s<=l.start*l.c?0:N(l,e))}),o.delete(e.head)}return c.sort((e,t)=>e.time-t.time)}function lt(e,t,n,r){let i=Math.sqrt(e.reduce((e,t)=>e+t*t,0)),a=t.length,o=t.map((e,t)=>n.some(({component:e})=>e===t)?0:e),s=Math.max(...o);if(i===0||s===0)return{time:1/0,unit:e};let[c,l]=[2*a+1,new Float64Array(a)],u=(e,t,n)=>{let r=0;for(let i=0;i<a;i++){let[o,s]=[e[1+i],e[1+a+i]];r+=o*t[i]*s,n[1+i]=e[0]*t[i]*s,n[1+a+i]=e[0]*t[i]*o}n[0]=r;let i=0;for(let t=0;t<c;t++)i+=e[t]*n[t];return i},d=(e,r)=>{for(let e=0;e<a;e++)l[e]=t[e];for(let{component:r,times:a}of n)l[r]-=t[r]*st(a,e[c+1]/i);let o=u(e,l,r);for(let t=0;t<c;t++)r[t]-=o*e[t];r[c]=o,r[c+1]=Math.exp(-e[c])},f=Math.log(r/i),p=Float64Array.from([...e.map(e=>e/i),0,0]),m=p;for(let e=400/s,t=0;t<2;t++,e/=400){let t=Array.from({length:401},(t,n)=>e*n/400);if(de(d,p,t,ot,ot*.001,(e,t)=>(p=m,m=t.slice(),t[c]>=f)),m[c]<f)break}let h=u(m,o,new Float64Array(c)),g=Array.from(m.subarray(0,c));return h<=1e-6*s?{time:1/0,unit:g}:{time:(m[c+1]+Math.exp(-m[c])/h)/i,unit:g}}let ut=[`2`,`8`,`32`,`128`,`inf`];function dt(e,t){let n=Array.from({length:e},(e,n)=>t**n),r=n.reduce((e,t)=>e+t,0);return n.map(t=>e*t/r)}function ft(e){let[t,r,i]=[l(e,`dimension`),l(e,`heads`),l(e,`start`)],a=u(e,`length`),o={eigenvalues:dt(t,l(e,`ratio`)),length:a===`inf`?1/0:Number(a)},s=u(e,`weights`)===`random`,c=n(5),d=()=>Array.from({length:t},()=>Number((i*c()).toPrecision(6))),f=e=>Array.from({length:t},(t,n)=>n===e?i:0),p=Array.from({length:r},(e,n)=>s?{key:d(),query:d(),value:d()[0]}:{key:f(n),query:f(n),value:n<t?i:0});return{task:o,start:i,random:s,heads:{key:p.map(({key:e})=>e),query:p.map(({query:e})=>e),value:p.map(({value:e})=>e)}}}function pt({setting:{task:e},wins:t},n){let r=e.eigenvalues.map(()=>n.map(()=>0));for(let e of t)nt(e,n).forEach((t,n)=>r[e.component][n]+=t);return r}function mt(e,t,n){return $e(e,tt(t.map(e=>e[n])),e.length)}let ht=e=>[`dimension`,`ratio`,`length`,`heads`,`start`,`weights`].map(t=>e[t]).join(` `),gt;function _t(e){let t=ht(e);if(gt?.key!==t){let n=ft(e),{task:r,heads:i,start:a,random:o}=n,s=o?ct(r,i):rt(r,i.value.length,a),c=s.map(e=>N(e,.5)),l=e=>e.filter(e=>Number.isFinite(e)&&e>0),u=1.4*(Math.max(...l(s.map(e=>N(e,.99))),0)||1),d=Math.min(.15*Math.min(...l(c),u),.02*u),f=Array.from({length:241},(e,t)=>d*(u/d)**(t/240)),p=pt({setting:n,wins:s},f);gt={key:t,solution:{setting:n,wins:s,halves:c,times:f,strengths:p,loss:f.map((e,t)=>mt(r,p,t)),levels:Qe(r),ends:M(r).ends}}}return gt.solution}var vt=class{task;value;key;query;map;size;s;b;gradient;up;down;constructor(e,{value:t,key:n,query:r}){this.task=e,this.size=e.eigenvalues.length,this.value=Float64Array.from(t),this.key=Float64Array.from(n.flat()),this.query=Float64Array.from(r.flat());let{s:i,c:a}=M(e);this.s=i,this.b=a.map((t,n)=>t/e.eigenvalues[n]),this.map=new Float64Array(this.size**2),this.gradient=new Float64Array(this.size**2),this.up=new Float64Array(this.size),this.down=new Float64Array(this.size),this.refresh()}refresh(){let{size:e,value:t,key:n,query:r,map:i}=this;i.fill(0);for(let a=0;a<t.length;a++)for(let o=0;o<e;o++){let s=t[a]*n[a*e+o];for(let t=0;t<e;t++)i[o*e+t]+=s*r[a*e+t]}for(let t=0;t<e;t++)for(let n=0;n<e;n++)this.gradient[t*e+n]=(t===n?this.s[t]:0)-this.b[t]*i[t*e+n]*this.task.eigenvalues[n]}step(e){let{size:t,value:n,key:r,query:i,gradient:a,up:o,down:s}=this;for(let c=0;c<n.length;c++){let[l,u]=[n[c],c*t],d=0;o.fill(0),s.fill(0);for(let e=0;e<t;e++)for(let n=0;n<t;n++){let c=a[e*t+n];o[e]+=c*i[u+n],s[n]+=c*r[u+e]}for(let n=0;n<t;n++)d+=r[u+n]*o[n],r[u+n]+=e*l*o[n],i[u+n]+=e*l*s[n];n[c]+=e*d}this.refresh()}};function*yt(e){let t=_t(e),{setting:n,times:r}=t,{task:i,heads:a}=n,{c:o,ends:s}=M(i),c=new vt(i,a),l=r[r.length-1],u=Math.max(...a.value.map(Math.abs),...a.key.flat().map(Math.abs),...a.query.flat().map(Math.abs)),d=Math.max(...o.map((e,t)=>3*e*Math.max(s[t]**(4/3),a.value.length*u**4))),f=Math.min(Math.max(.05/d,Math.min(l/4e5,.2/d)),l/500),p=Math.ceil(l/f),m={times:[],loss:[],maps:[],expected:[]},h=e=>{let n=Array.from(c.map);m.times.push(e*f),m.loss.push($e(i,n,i.length)),m.maps.push(n),m.expected.push(mt(i,pt(t,[e*f]),0))},g=(l/r[0])**(1/200),_=0;for(let e=0;e<=p;e++)(e>=_||e===p)&&(h(e),_=Math.max(e+1,Math.ceil(r[0]/f),Math.round(e*g))),e<p&&c.step(f),(e+1)%2e4==0&&(yield{...m});yield{...m}}let bt=Array.from({length:49},(e,t)=>2**(t/6)),xt=.5;function St(e,t){let{setting:n,halves:r,times:i,strengths:a,loss:o,levels:s,ends:c}=_t(e),{task:u}=n,d=Math.round(l(e,`moment`)*240),f={label:`flow time`,values:i,log:!0,range:[i[0],i[240]]},p=i[d],m=u.eigenvalues.length,h=tt(a.map(e=>e[d])),g=t&&t.times.length>2?t:void 0,v=g?g.times.findIndex(e=>e>=.999*p):-1,b=v>=0?g.maps[v]:void 0,x=g&&O(g.times,g.expected,g.loss),S=e=>`component ${e+1} (λ = ${_(u.eigenvalues[e])})`,C=i.map((e,t)=>et(u,tt(a.map(e=>e[t])))),w=g?.maps.map(e=>et(u,e)),T=(e,t,n=`trained attention`,r=!0)=>({label:n,x:g.times.slice(1),y:e.slice(1),colour:t,role:`trained`,quiet:r}),E=[{id:`first`,label:`first component half learned`,value:r[0],unit:`flow time`},{id:`last`,label:`last component half learned`,value:r[r.length-1],unit:`flow time`},{id:`plateau`,label:`loss after the first drop`,value:s[1]},{id:`least`,label:`lowest possible loss`,value:s[m]},{id:`loss`,label:`loss at this time`,value:o[d]},...x===void 0?[]:[{id:`area`,label:`area between prediction and network (∫|ΔL|/∫L)`,value:x}]],ee=[{kind:`lines`,id:`loss`,title:`Loss, and its predicted plateaus`,wide:!0,x:f,y:{label:`loss`},moment:p,lines:[...g?[T(g.loss,6,`trained attention`,!1)]:[],{label:`prediction`,y:o,colour:6}],marks:s.map((e,t)=>({axis:`y`,at:e,label:t===0?`nothing learned`:`${y[t]??t} learned`,...t?{colour:7+t-1,side:`left`}:{}}))},{kind:`lines`,id:`strengths`,title:`Strength of each principal component`,x:f,y:{label:`strength eᵀMe`},moment:p,lines:[...g?u.eigenvalues.map((e,t)=>T(g.maps.map(e=>e[t*m+t]),7+t)):[],...a.map((e,t)=>({label:S(t),y:e,colour:7+t}))]},{kind:`lines`,id:`distance`,title:`Distance from regression on the first m components`,x:f,y:{label:`⟨(ŷ − ŷₘ)²⟩ / ⟨y²⟩`,range:[0,Math.max(...C.map(e=>Math.max(...e)))*1.05]},moment:p,lines:Array.from({length:m},(e,t)=>t+1).flatMap(e=>[...w?[T(w.map(t=>t[e]),7+e-1)]:[],{label:e===1?`m = 1`:`m = ${e}`,y:C.map(t=>t[e]),colour:7+e-1}])},...[[`predicted`,h],[`trained`,b]].flatMap(([e,t])=>t?[{kind:`heat`,id:`map_${e}`,title:e===`predicted`?`Predicted map M at this time`:`Trained attention's map M`,label:`entry of M`,matrix:Array.from({length:m},(e,n)=>Array.from({length:m},(e,r)=>t[n*m+r])),rows:u.eigenvalues.map((e,t)=>`e${t+1}`),columns:u.eigenvalues.map((e,t)=>`e${t+1}`),bound:Math.max(...c)}]:[]),{kind:`lines`,id:`risk`,title:`Loss with n examples in the context, at this time`,wide:!0,x:{label:`examples n`,values:bt,log:!0,range:[1,256]},y:{label:`loss`},lines:[...b?[{label:`trained attention`,y:bt.map(e=>$e(u,b,e)),colour:6,role:`trained`}]:[],{label:`prediction`,y:bt.map(e=>$e(u,h,e)),colour:6},{label:`at the end of learning`,y:bt.map(e=>$e(u,tt(c),e)),colour:2,role:`reference`,dash:`dash`}],marks:Number.isFinite(u.length)?[{axis:`x`,at:u.length,label:`N = ${u.length}`}]:[]}];return{sentence:Ct(e,x),numbers:E,charts:ee}}function Ct(e,t){let{setting:n,wins:r,halves:i,levels:a}=_t(e),{task:o,random:s}=n,c=o.eigenvalues.length,l=n.heads.value.length,u=r.every(({component:e},t)=>e===t)?`, the largest variance first,`:``,d=it(r)<=xt,f=i.map(_).join(`, `),p=r.length===1?`one principal component`:`${y[r.length]} principal components`;return`${`${l===1?`One head learns`:`${y[l]??l} heads learn`} ${p} of the inputs`.replace(/^./,e=>e.toUpperCase())}${r.length<2?`, half of it by t = ${f}`:d?` one after another${u} each half learned at t = ${f}`:`${u} but so close together (t = ${f}) that the drops overlap and leave almost no plateaus`}${r.length<c?`; the loss ends at ${_(a[r.length])}, above the lowest possible ${_(a[c])}, because a head of rank one can hold only one component`:`; the loss ends at the lowest possible value, ${_(a[c])}`}.${b(t,`The trained attention`,s?`heads of this size interact before they have turned to a component`:`the training step is not small`)}`}function wt(e){let{task:t,heads:n}=ft(e),r=n.value.length,i=[`x₁ y₁`,`x₂ y₂`,`…`,Number.isFinite(t.length)?`x y (${t.length})`:`x y (∞)`,`query x`],a=i.map((e,t)=>({x:5,y:1+1.7*t,shape:`square`,label:e,side:`left`,...t===4?{colour:1}:{}})),o=[],s=Math.min(1.7,6.8/Math.max(1,r-1));for(let e=0;e<r;e++){let t=a.length;a.push({x:10,y:4.4+s*(e-(r-1)/2),colour:e%6}),i.forEach((n,r)=>o.push({from:r,to:t,colour:e%6,weight:.6})),o.push({from:t,to:i.length+r,colour:e%6})}return a.push({x:15,y:4.4,label:`ŷ`,side:`right`}),{caption:`Each sequence shows examples of a new regression, then a query; ${r===1?`one head`:`${y[r]??r} heads`} of linear attention must answer it from the context.`,nodes:a,links:o,words:[{x:5,y:9.6,text:`sequence`},{x:10,y:9.6,text:`heads v k qᵀ`},{x:15,y:9.6,text:`answer`}]}}let Tt={id:`in_context`,title:`Attention`,question:`How does attention learn to learn from the examples in its context?`,paper:{text:`Zhang, Singh, Latham and Saxe 2025, Training dynamics of in-context learning in linear attention`,href:`https://arxiv.org/abs/2501.16265`},terms:[`attention`,`component`,`strength`,`saddle`,`loss`,`flow`,`area`],theory:{text:`Every sequence shows N examples of a new linear regression and then a query. Attention without softmax answers with one matrix M between the correlation b of the examples and the query. With separate key and query of rank one, each head is a chain of three layers. From small weights the network waits at a saddle, learns the principal component of largest variance, waits at the next saddle, and so on. After m drops of the loss it performs regression on the first m principal components in context. If each head starts on one component, the solution is exact. From random weights, a head turns to a component while it is small. The time at which it would diverge gives the initial strength of its chain.`,equations:[`ŷ = b^{T} M x_{q},  b = frac{1}{N} Σ_{n} y_{n} x_{n},  M = Σ_{h} v_{h} k_{h} q_{h}^{T}`,`frac{d u_{d}}{d t} = 3 u_{d}^{4/3} (s_{d} − c_{d} u_{d}),  s_{d} = λ_{d}^{2},  c_{d} = λ_{d}^{2} ( (1 + frac{1}{N}) λ_{d} + frac{Tr Λ}{N} )`,`L_{m} = frac{1}{2} ( Tr Λ − Σ_{d ≤ m} frac{s_{d}^{2}}{c_{d}} )`]},controls:[{kind:`slider`,id:`dimension`,label:`Dimension D`,min:2,max:5,step:1,value:3,help:`Number of input dimensions, which is also the number of principal components.`},{kind:`slider`,id:`ratio`,label:`Ratio of neighbouring variances`,min:.4,max:.9,step:.05,value:.6,help:`Variance of each principal component divided by that of the one before; the mean variance is one.`,format:e=>e.toFixed(2)},{kind:`choice`,id:`length`,label:`Examples N in a sequence`,value:`32`,options:ut.map(e=>({value:e,label:e===`inf`?`∞`:e})),help:`With few examples the correlation b is noisy, and the best answer shrinks.`},{kind:`slider`,id:`heads`,label:`Heads`,min:1,max:8,step:1,value:4,help:`Each head has rank one and can hold one principal component.`},{kind:`slider`,id:`start`,label:`Size of initial weights σ`,min:.01,max:.1,step:.05,value:.02,log:!0,help:`Standard deviation of random weights, or the size of value, key and query if heads start on the components.`},{kind:`choice`,id:`weights`,label:`Initial heads`,value:`random`,options:[{value:`random`,label:`random`},{value:`aligned`,label:`on the components`}],help:`On the components the prediction is exact. For random heads it is an approximation for small weights: the heads compete for components.`},p(e=>`${Math.round(100*e)} %`)],schematic:wt,ask:{prompt:`The network must solve a new regression in every sequence. How will its loss fall while it learns to do this?`,options:[`Smoothly from the beginning`,`In one drop, when it understands the task`,`In steps, one for each principal component of the inputs`],right:e=>{let{wins:t}=_t(e);return t.length<2?void 0:it(t)<=xt?2:0},because:`Key, query and value of a head multiply each other, so a head grows slowly while it is small and then suddenly. The component of largest variance gives the strongest gradient.`},view:St,live:{label:`Train linear attention`,key:ht,run:yt},python:e=>{let{task:t,heads:n,random:r,start:i}=ft(e),{times:a}=_t(e),o=Math.round(l(e,`moment`)*240),[s,c]=[t.eigenvalues.length,Number.isFinite(t.length)?t.length:`math.inf`],d=e=>JSON.stringify(e),f=r?`fs.initial.Weights([np.array(${d(n.query)}), np.array(${d(n.key)}), np.array(${d([n.value])})])`:`fs.attention.AlignedHeads(${i} ** 3)`;return[`import math`,``,`import numpy as np`,``,`import festina as fs`,``,`variances = ${l(e,`ratio`)} ** np.arange(${s})`,`task = fs.tasks.in_context_regression(${s} * variances / variances.sum(), length=${c})`,`initial = ${f}`,`network = fs.LinearAttention(heads=${n.value.length}, initial=initial)`,`method = ${u(e,`weights`)===`random`?`fs.Reduced()`:`fs.Exact()`}`,`path = fs.evolve(network, task, [0.0, ${v(a[o])}], method=method)`,`levels = task.plateaus`,...r?[`half = path.notes[\"times\"]`]:[`s, ends = task.eigenvalues[:${n.value.length}] ** 2, task.final_strengths[:${n.value.length}]`,`half = fs.linear.time_to_strength(0.5 * ends, s, s / ends, ${i} ** 3, 3)`],`numbers = {`,`    \"first\": float(half[0]),`,`    \"last\": float(half[-1]),`,`    \"plateau\": float(levels[1]),`,`    \"least\": float(levels[-1]),`,`    \"loss\": float(path.loss[-1]),`,`}`].join(`\n`)}};function F(e,t){return{rows:e,columns:t,data:new Float64Array(e*t)}}function Et(e){let t=F(e,e);for(let n=0;n<e;n++)t.data[n*e+n]=1;return t}function Dt(e){let t=F(e.length,e[0]?.length??0);return e.forEach((e,n)=>t.data.set(e,n*t.columns)),t}function I(e){return Array.from({length:e.rows},(t,n)=>Array.from(e.data.subarray(n*e.columns,(n+1)*e.columns)))}function L(e){return{rows:e.rows,columns:e.columns,data:e.data.slice()}}function Ot(e,t){return Array.from({length:e.rows},(n,r)=>e.data[r*e.columns+t])}function R(e){let t=F(e.columns,e.rows);for(let n=0;n<e.rows;n++)for(let r=0;r<e.columns;r++)t.data[r*e.rows+n]=e.data[n*e.columns+r];return t}function z(e,t,n=F(e.rows,t.columns)){let{rows:r,columns:i}=e,a=t.columns,o=n.data;o.fill(0);for(let n=0;n<r;n++)for(let r=0;r<i;r++){let s=e.data[n*i+r];if(s!==0)for(let e=0;e<a;e++)o[n*a+e]+=s*t.data[r*a+e]}return n}function B(e,t,n=F(e.columns,t.columns)){let r=n.data;r.fill(0);for(let n=0;n<e.rows;n++)for(let i=0;i<e.columns;i++){let a=e.data[n*e.columns+i];if(a!==0)for(let e=0;e<t.columns;e++)r[i*t.columns+e]+=a*t.data[n*t.columns+e]}return n}function V(e,t,n=F(e.rows,t.rows)){let r=e.columns;for(let i=0;i<e.rows;i++)for(let a=0;a<t.rows;a++){let o=0;for(let n=0;n<r;n++)o+=e.data[i*r+n]*t.data[a*r+n];n.data[i*t.rows+a]=o}return n}function H(e,t){return{rows:e.rows,columns:e.columns,data:e.data.map(e=>t*e)}}function U(e,t){let n=0;for(let r=0;r<e.data.length;r++)n+=e.data[r]*t.data[r];return n}function kt(e){let t=0;for(let n=0;n<Math.min(e.rows,e.columns);n++)t+=e.data[n*e.columns+n];return t}function At(e,t,n,r,i,a,o){for(let s=0;s<n;s++){let n=e[s*t+r],c=e[s*t+i];e[s*t+r]=a*n-o*c,e[s*t+i]=o*n+a*c}}function jt(e,t){let n=e/(2*t),r=Math.abs(n)>1e150?Math.abs(n):Math.sqrt(1+n*n);return(n>=0?1:-1)/(Math.abs(n)+r)}function Mt(e){let t=e.rows,n=L(e),r=Et(t),i=(e,r)=>n.data[e*t+r];for(let e=0;e<60;e++){let e=!1;for(let a=0;a<t-1;a++)for(let o=a+1;o<t;o++){let s=i(a,o);if(Math.abs(s)<=2**-52*.25*Math.sqrt(Math.abs(i(a,a)*i(o,o)))||s===0||Math.abs(s)<1e-300)continue;e=!0;let c=jt(i(o,o)-i(a,a),s),l=1/Math.sqrt(1+c*c),u=c*l;At(n.data,t,t,a,o,l,u);for(let e=0;e<t;e++){let r=i(a,e),s=i(o,e);n.data[a*t+e]=l*r-u*s,n.data[o*t+e]=u*r+l*s}n.data[a*t+o]=n.data[o*t+a]=0,At(r.data,t,t,a,o,l,u)}if(!e)break}let a=Array.from({length:t},(e,t)=>t).sort((e,t)=>i(t,t)-i(e,e));return{values:Float64Array.from(a,e=>i(e,e)),vectors:Nt(r,a)}}function Nt(e,t){let n=F(e.rows,t.length);for(let r=0;r<e.rows;r++)t.forEach((i,a)=>n.data[r*t.length+a]=e.data[r*e.columns+i]);return n}function Pt(e){if(e.rows<e.columns){let{left:t,values:n,right:r}=Pt(R(e));return{left:r,values:n,right:t}}let{rows:t,columns:n}=e,r=L(e),i=Et(n);for(let e=0;e<60;e++){let e=!1;for(let a=0;a<n-1;a++)for(let o=a+1;o<n;o++){let[s,c,l]=[0,0,0];for(let e=0;e<t;e++){let t=r.data[e*n+a],i=r.data[e*n+o];s+=t*t,c+=i*i,l+=t*i}if(l===0||Math.abs(l)<=2*2**-52*Math.sqrt(s*c))continue;e=!0;let u=jt(c-s,l),d=1/Math.sqrt(1+u*u);At(r.data,n,t,a,o,d,u*d),At(i.data,n,n,a,o,d,u*d)}if(!e)break}let a=Array.from({length:n},(e,t)=>Math.hypot(...Ot(r,t))),o=a.map((e,t)=>t).sort((e,t)=>a[t]-a[e]),s=Float64Array.from(o,e=>a[e]),c=Nt(r,o),l=2**-52*Math.max(t,n)*(s[0]??0),u=[];for(let e=0;e<n;e++){s[e]>l&&u.push(e);for(let r=0;r<t;r++)c.data[r*n+e]/=s[e]>l?s[e]:1/0}return{left:Ft(c,u),values:s,right:Nt(i,o)}}function Ft(e,t){let n=L(e),r=[...t],i=0;for(let a=0;a<e.columns;a++)if(!t.includes(a)){for(;i<e.rows;i++){let t=new Float64Array(e.rows);t[i]=1;for(let i=0;i<2;i++)for(let i of r){let r=0;for(let a=0;a<e.rows;a++)r+=t[a]*n.data[a*e.columns+i];for(let a=0;a<e.rows;a++)t[a]-=r*n.data[a*e.columns+i]}let o=Math.hypot(...t);if(!(o<.5/Math.sqrt(e.rows))){for(let r=0;r<e.rows;r++)n.data[r*e.columns+a]=t[r]/o;break}}r.push(a)}return n}function It(e){let t=Pt(e),n=e=>{let t=F(e.rows,e.rows);for(let n=0;n<e.rows;n++)for(let r=0;r<e.columns;r++)t.data[n*e.rows+r]=e.data[n*e.columns+r];return Ft(t,Array.from({length:e.columns},(e,t)=>t))};return{left:n(t.left),values:t.values,right:n(t.right)}}function Lt(e,t=F(e.rows,e.columns)){let{rows:n,columns:r,data:i}=e,a=new Float64Array(r);for(let e=0;e<r;e++){let t=0;for(let a=e;a<n;a++)t=Math.max(t,Math.abs(i[a*r+e]));if(t===0)continue;let o=0;for(let a=e;a<n;a++)o+=(i[a*r+e]/t)**2;let s=t*Math.sqrt(o),c=i[e*r+e],l=c>0?-s:s,u=c-l;for(let t=e+1;t<n;t++)i[t*r+e]/=u;a[e]=-u/l,i[e*r+e]=l;for(let t=e+1;t<r;t++){let o=i[e*r+t];for(let a=e+1;a<n;a++)o+=i[a*r+e]*i[a*r+t];o*=a[e],i[e*r+t]-=o;for(let a=e+1;a<n;a++)i[a*r+t]-=o*i[a*r+e]}}t.data.fill(0);for(let e=0;e<r;e++)t.data[e*r+e]=1;for(let e=r-1;e>=0;e--)for(let o=e;o<r;o++){let s=t.data[e*r+o];for(let a=e+1;a<n;a++)s+=i[a*r+e]*t.data[a*r+o];s*=a[e],t.data[e*r+o]-=s;for(let a=e+1;a<n;a++)t.data[a*r+o]-=s*i[a*r+e]}return t}let Rt=4*2**-52;function zt({first:e,second:t,cross:n,curvature:r,lambda:i}){let{left:a,values:o,right:s}=It(n),c=o[0]??0,l=2**-52*Math.max(n.rows,n.columns)*c,u=o.map(e=>e>l?e:0);for(let e=0;e<u.length;){let t=e+1;for(;t<u.length&&u[t-1]-u[t]<=4*u.length*2**-52*c;)t++;let n=u.slice(e,t).reduce((e,t)=>e+t,0)/(t-e);u.fill(n,e,t),e=t}let d=r*Math.abs(i)/2,[f,p]=[new Float64Array(u.length),new Float64Array(u.length)];u.forEach((e,t)=>{let n=Math.hypot(e,d),r=n>0?Math.hypot(n+d,e):1;f[t]=n>0?(n+d)/r:1,p[t]=e/r});let m=Math.sqrt(r);return{left:a,right:s,s:u,large:f,small:p,qv:H(B(s,R(e)),m),qu:H(B(a,t),m)}}function Bt(e){return Math.sqrt(U(e,e))}function Vt(e,t){let{s:n,qv:r,qu:i}=e,a=n.length,o=r.columns,[s,c]=t>=0?[e.small,e.large]:[e.large,e.small],l=i.rows>a?i:r,u=i.rows>a?t/2:-t/2,d=a+a+l.rows-a,f=F(d,o),p=new Float64Array(d),m=new Float64Array(d),h=new Float64Array(d),[g,_]=[Bt(r),Bt(i)],v=Rt*Math.sqrt(d),y=Math.abs(t)/2;for(let e=0;e<a;e++){for(let t=0;t<o;t++){let[n,l]=[r.data[e*o+t],i.data[e*o+t]];f.data[e*o+t]=s[e]*n+c[e]*l,f.data[(a+e)*o+t]=c[e]*n-s[e]*l}p[e]=v*(s[e]*g+c[e]*_),p[a+e]=v*(c[e]*g+s[e]*_),h[e]=Math.hypot(n[e],y),h[a+e]=-h[e],m[e]=m[a+e]=h[e]>0?n[e]*(n[e]/(h[e]+y)):0}for(let e=a;e<l.rows;e++)f.data.set(l.data.subarray(e*o,(e+1)*o),(a+e)*o),p[a+e]=v*Bt(l),h[a+e]=u;return{m:f,noise:p,grows:Array.from({length:d},(e,t)=>t<a?h[t]>0:t>=2*a&&u>0),excess:m,phi:h}}function Ht({m:e,noise:t,grows:n,excess:r,phi:i}){let{rows:a,columns:o}=e,s=e=>n[e]?r[e]:i[e],c=Array.from({length:a},(e,t)=>t);c.sort((e,t)=>n[e]===n[t]?s(t)-s(e)||e-t:n[e]?-1:1);let l=[];c.forEach((e,t)=>{let r=c[t-1];r!==void 0&&s(r)===s(e)&&n[r]===n[e]?l[l.length-1].push(e):l.push([e])});let u=new Int32Array(a),d=[],f=[],p=t=>e.data.subarray(t*o,(t+1)*o);l.forEach((e,n)=>{for(let t of e)u[t]=n;let r=d.length,i=e.map(e=>Wt(p(e),d)),a=e.map(e=>t[e]+Gt(p(e),d,f,p,t)),s=new Set(e.keys());for(let e of[...s])Ut(i[e])>a[e]||s.delete(e);for(;s.size&&d.length<o;){let t=[...s].reduce((e,t)=>Ut(i[t])>Ut(i[e])?t:e),n=Ut(i[t]);if(!(n>a[t]))break;let o=i[t].map(e=>e/n);d.push(o),f.push(e[t]),s.delete(t);for(let e of s)i[e]=Wt(i[e],d.slice(r))}});let m=F(d.length,a);return d.forEach((e,t)=>{for(let n=0;n<a;n++)m.data[t*a+n]=u[n]<u[f[t]]?0:W(e,p(n))}),{hat:m,leads:f}}function W(e,t){let n=0;for(let r=0;r<e.length;r++)n+=e[r]*t[r];return n}function Ut(e){return Math.sqrt(W(e,e))}function Wt(e,t){let n=Float64Array.from(e);for(let e=0;e<2;e++){let e=t.map(e=>W(n,e));t.forEach((t,r)=>{for(let i=0;i<n.length;i++)n[i]-=e[r]*t[i]})}return n}function Gt(e,t,n,r,i){let a=new Float64Array(t.length),o=0;for(let s=t.length-1;s>=0;s--){let c=W(t[s],e);for(let e=s+1;e<t.length;e++)c-=W(t[s],r(n[e]))*a[e];a[s]=c/W(t[s],r(n[s])),o+=Math.abs(a[s])*i[n[s]]}return o}function Kt({grows:e,excess:t,phi:n},{hat:r,leads:i},a){let o=n.length,s=i.length,c=o+s,[l,u,d,f]=[o,o,o,c].map(e=>new Float64Array(e)),p=new Float64Array(c*s),m=new Int32Array(c),h=F(c,s),g=F(c,s),_=new Float64Array(o*s),v=n.map(e=>Math.abs(e));return y=>{let b=a*y,x=Math.sqrt(y);for(let r=0;r<o;r++){let i=2*v[r]*y;l[r]=.5*Math.log(i>0?-Math.expm1(-i)/i:1),u[r]=(e[r]?t[r]*y:0)+l[r],d[r]=n[r]<0?Math.exp(-i/2):1}p.fill(0),f.fill(0);for(let t=0;t<s;t++){let n=i[t],a=0;for(let i=0;i<o;i++){let c=r.data[t*o+i];if(c===0)continue;let l=u[i]-u[n]-(!e[i]&&e[n]?b:0),d=l<0?c*Math.exp(l):c;p[i*s+t]=d,a=Math.max(a,Math.abs(d))}let l=Math.exp(-u[n]-(e[n]?b:0))/x;p[(c-1-t)*s+t]=l,a=Math.max(a,l);for(let e=0;e<c;e++){let n=p[e*s+t]/a;p[e*s+t]=n,Math.abs(n)>f[e]&&(f[e]=Math.abs(n))}}for(let e=0;e<c;e++){let t=e;for(;t>0&&f[m[t-1]]<f[e];t--)m[t]=m[t-1];m[t]=e}for(let e=0;e<c;e++)for(let t=0;t<s;t++)h.data[e*s+t]=p[m[e]*s+t];Lt(h,g);for(let e=0;e<c;e++){let t=m[e];if(t>=o)continue;let n=d[t]*Math.exp(-l[t])/x;for(let r=0;r<s;r++)_[t*s+r]=n*g.data[e*s+r]}return _}}function qt(e,t,n){let{left:r,values:i,right:a}=It(e),o=F(t,e.columns),s=F(e.rows,t);for(let c=0;c<t;c++){let l=c<Math.min(e.rows,e.columns)?i[c]:0,u=Math.sqrt((Math.hypot(n,2*l)+Math.abs(n))/2),d=u>0?l/u:0,[f,p]=n>0?[d,u]:[u,d];for(let t=0;t<e.columns&&c<e.columns;t++)o.data[c*e.columns+t]=f*a.data[t*e.columns+c];for(let n=0;n<e.rows&&c<e.rows;n++)s.data[n*t+c]=p*r.data[n*e.rows+c]}return{first:o,second:s}}function G(e,t,n,r){return e.rows*U(t,r)+kt(t)*kt(n)+kt(r)*kt(e)+t.rows*U(e,n)}function Jt(e,t,n,r){let i=Math.sqrt(G(e,t,e,t)*G(n,r,n,r));return i>0?Math.max(1-G(e,t,n,r)/i,0):0}function Yt(e){let{cross:t,curvature:n,lambda:r}=e,i=n*r,a=zt(e),o=Vt(a,i),s=Ht(o),c=a.s.length,[l,u]=i>=0?[a.small,a.large]:[a.large,a.small],d=1e290/(2*Math.max(1,...o.phi.map(Math.abs))),f=Math.sqrt(n),p=s.leads.length,m=Kt(o,s,Math.abs(i)/2),h=F(t.columns,p),g=F(t.rows,p),_=F(t.rows,t.columns),[v,y]=[F(t.columns,t.columns),F(t.rows,t.rows)],b={r:H(V(a.qv,a.qv),1/n),a:H(V(a.qu,a.qu),1/n)},x=G(b.r,b.a,b.r,b.a),S=e=>{let n=m(Math.min(Math.max(e,1e-150),d));for(let e=0;e<p;e++){for(let t=0;t<c;t++){let r=n[t*p+e],i=n[(c+t)*p+e];h.data[t*p+e]=(l[t]*r+u[t]*i)/f,g.data[t*p+e]=(u[t]*r-l[t]*i)/f}for(let r=c;r<t.columns;r++)h.data[r*p+e]=n[(c+r)*p+e]/f;for(let r=c;r<t.rows;r++)g.data[r*p+e]=n[(c+r)*p+e]/f}},C=(e,t)=>{let n=z(e,t);return V(n,n)};return e=>{let r=[],i=[],o=Array.from({length:c},()=>[]);for(let s of e){S(s),V(g,h,_);for(let e=0;e<c;e++){let r=e*t.columns+e;o[e].push(_.data[r]),_.data[r]-=a.s[e]/n}r.push(.5*n*U(_,_)),V(h,h,v),V(g,g,y);let e=Math.sqrt(x*G(v,y,v,y));i.push(e>0?Math.max(1-G(b.r,b.a,v,y)/e,0):0)}let s=(t,n)=>(S(e[t]),n());return{loss:r,kernelDistance:i,strengths:o,input:e=>s(e,()=>C(a.right,h)),output:e=>s(e,()=>C(a.left,g)),map:e=>s(e,()=>V(z(a.left,g),z(a.right,h)))}}}let K=[1,.5,.25],Xt=[-1.6,.6,Math.sqrt(3-1.6**2-.6**2)],q=[.01,1e3],Zt={square:{inputs:3,outputs:3,label:`square (3–3–3)`},funnel:{inputs:6,outputs:3,label:`funnel (6–3–3)`},fan:{inputs:3,outputs:6,label:`fan (3–3–6)`}};function Qt(e){let t=F(e,e);for(let n=0;n<e;n++)for(let r=0;r<e;r++)t.data[n*e+r]=Math.sqrt((r?2:1)/e)*Math.cos(Math.PI*(n+.5)*r/e);return t}function $t(e,t){let[n,r]=[Qt(t),Qt(e)],i=F(t,e);return Xt.forEach((a,o)=>{let[s,c]=[o,e-1-(o+1)%3];for(let o=0;o<t;o++)for(let l=0;l<e;l++)i.data[o*e+l]+=a*n.data[o*t+s]*r.data[l*e+c]}),i}function en(e){let{inputs:t,outputs:n}=Zt[u(e,`shape`)]??Zt.square,[r,i]=[l(e,`lambda`),l(e,`scale`)],a=F(n,t);K.forEach((e,n)=>a.data[n*t+n]=e);let o=$t(t,n),{first:s,second:c}=qt(H(o,i),3,r),[d,f]=[K[0],K[K.length-1]],p=Math.log(.001/Math.hypot(d,r/2)),m=Math.log(1e3*Math.hypot(f,r/2)/f**2),h=[0,...Array.from({length:400},(e,t)=>Math.exp(p+(m-p)*t/399))];return{problem:{first:s,second:c,cross:a,curvature:1,lambda:r},lambda:r,scale:i,map:o,times:h}}function tn({lambda:e,times:t},{loss:n,kernelDistance:r}){let i=Math.max(...r),a=Math.abs(e)/(2*K[0]),o=r.findIndex(e=>e>=i/2),s=r.findIndex(e=>e>=i/10),c=n[n.length-1];return{name:i<.1?`lazy`:a<=1?`rich`:`delayed rich`,distance:i,imbalance:a,delay:t[o],lazyShare:n[0]>c?(n[0]-n[s])/(n[0]-c):0}}function nn(e,t,n,r){let i=n[0]+r*(n[n.length-1]-n[0]),a=n.findIndex(e=>e<=i);if(a<=0)return 0;let[o,s]=[t[a-1],t[a]],[c,l]=[n[a-1]-i,n[a]-i];for(let t=0;t<40&&s-o>1e-13*s;t++){let n=o+(s-o)*c/(c-l),r=1e-9*(s-o)+1e-14*s,a=t%4==3?.5*(o+s):Math.min(Math.max(n+(t%2?r:-r),o+r),s-r),u=e([a]).loss[0]-i;u<=0?[s,l]=[a,u]:[o,c]=[a,u]}return .5*(o+s)}let rn=e=>[`lambda`,`scale`,`shape`].map(t=>e[t]).join(` `),an;function on(e){let t=rn(e);if(an?.key!==t){let n=en(e),r=Yt(n.problem),i=r(n.times),[a,o]=[.1,.9].map(e=>nn(r,n.times,i.loss,e));an={key:t,solution:{setting:n,path:r,found:i,regime:tn(n,i),wait:a/o}}}return an.solution}function J(e,t,n,r){let i=F(e,t);for(let e=0;e<i.data.length;e++)i.data[e]=n*r();return i}function sn(e,t,n){return Lt(J(e,t,1,n))}function cn(e,t,n,r,i,a){let o=e.columns,s=[e,...Array.from({length:r-1},()=>sn(n,o,a)),t],c=i**(1/r);return Array.from({length:r},(e,t)=>{let n=V(s[t+1],s[t]);return n.data.forEach((e,t)=>n.data[t]=c*e),n})}var ln=class{cross;curvature;weights;below;above;miss;back;change;constructor(e,t,n){this.cross=t,this.curvature=n,this.weights=e.map(L),this.below=[Et(t.columns),...e.map(e=>F(e.rows,t.columns))],this.above=[...e.map(e=>F(t.rows,e.columns)),Et(t.rows)],this.miss=F(t.rows,t.columns),this.back=e.map(e=>F(e.rows,t.columns)),this.change=e.map(e=>F(e.rows,e.columns)),this.refresh()}refresh(){let e=this.weights.length;this.below[1].data.set(this.weights[0].data);for(let t=1;t<e;t++)z(this.weights[t],this.below[t],this.below[t+1]);this.above[e-1].data.set(this.weights[e-1].data);for(let t=e-2;t>0;t--)z(this.above[t+1],this.weights[t],this.above[t]);let t=this.map.data,{data:n}=this.miss;for(let e=0;e<n.length;e++)n[e]=this.cross.data[e]-this.curvature*t[e]}get map(){return this.below[this.weights.length]}get loss(){return U(this.miss,this.miss)/(2*this.curvature)}hidden(e){return this.below[e]}step(e){let t=this.weights.length;for(let n=0;n<t;n++){let r=n===t-1?this.miss:B(this.above[n+1],this.miss,this.back[n]),i=n===0?r:V(r,this.below[n],this.change[n]),{data:a}=this.weights[n];for(let t=0;t<a.length;t++)a[t]+=e*i.data[t]}this.refresh()}};function un(e,t,n){let r=z(e,n);return Array.from({length:n.columns},(e,n)=>{let i=0;for(let e=0;e<t.rows;e++)i+=t.data[e*t.columns+n]*r.data[e*r.columns+n];return i})}function*dn(e){let{problem:t}=en(e),{first:n,second:r,cross:i}=t,a=Yt(t),o=new ln([n,r],i,1),s=e=>Math.sqrt(e.data.reduce((e,t)=>e+t*t,0)),c=.05/Math.max(s(n)**2+s(r)**2,2*K.length*Math.hypot(K[0],t.lambda/2)),l=Math.min(Math.ceil(q[1]/c),4e5),u={r:B(n,n),a:V(r,r)},d={times:[],loss:[],moved:[],strengths:K.map(()=>[]),expected:[],rate:c},f=e=>{let[t,n]=o.weights;d.times.push(e*c),d.loss.push(o.loss),d.expected.push(a([e*c]).loss[0]),d.moved.push(Jt(u.r,u.a,B(t,t),V(n,n))),K.forEach((e,t)=>d.strengths[t].push(o.map.data[t*o.map.columns+t]))},[p,m]=[0,0];for(let e=0;e<=l;e++)(e>=p||e===l)&&(f(e),p=Math.max(e+1,Math.round(e*1.05))),e<l&&o.step(c),m+=12*i.data.length*3,m>15e5&&(m=0,yield{...d});yield{...d}}function fn(e,t){let{setting:n,path:r,found:i,regime:a,wait:o}=on(e),{problem:s,lambda:c,times:u}=n,d=u.map((e,t)=>t).filter(e=>u[e]>q[0]/1.1&&u[e]<q[1]*1.1),f=e=>d.map(t=>e[t]),p={label:`flow time`,values:f(u),log:!0,range:q},m=q[0]*(q[1]/q[0])**l(e,`moment`),h=[{label:`prediction`,y:f(i.loss),colour:6}],g=[{label:`prediction`,y:f(i.kernelDistance),colour:6}],_,v=i.strengths.map((e,t)=>({label:`mode ${t+1} (s = ${K[t]})`,y:f(e),colour:7+t})),y=[{id:`kernel_distance`,label:`largest kernel distance`,value:a.distance},{id:`imbalance`,label:`imbalance |λ|/2s`,value:a.imbalance},{id:`delay`,label:`kernel half-turned at t =`,value:a.delay,unit:`flow time`},{id:`lazy_share`,label:`fraction learned before the kernel turned`,value:a.lazyShare},{id:`wait`,label:`delay: time to 10 % / time to 90 % learned`,value:o}];if(t&&t.times.length>2){let e=t.times.slice(1);h.unshift({label:`trained network`,x:e,y:t.loss.slice(1),colour:6,role:`trained`}),g.unshift({label:`trained network`,x:e,y:t.moved.slice(1),colour:6,role:`trained`}),v.unshift(...t.strengths.map((t,n)=>({label:`trained network`,x:e,y:t.slice(1),colour:7+n,role:`trained`,quiet:!0}))),_=O(t.times,t.expected,t.loss),y.push({id:`area`,label:`area between prediction and network (∫|ΔL|/∫L)`,value:_})}let x=r([m]),S=Array.from({length:s.cross.columns},(e,t)=>`${t+1}`),C=Array.from({length:s.cross.rows},(e,t)=>`${t+1}`);return{sentence:mn(n,a,o)+b(_,`The trained network`,`the training step is not small for weights of this size`),numbers:y,charts:[{kind:`lines`,id:`loss`,title:`Loss`,x:p,y:{label:`loss`},lines:h,moment:m},{kind:`lines`,id:`kernel`,title:`Turn of the tangent kernel`,x:p,y:{label:`kernel distance`,range:[0,1]},lines:g,moment:m,marks:[{axis:`y`,at:.1,label:`lazy below`,side:`left`}]},{kind:`lines`,id:`strengths`,title:`Strength of each mode`,x:p,y:{label:`strength uᵀW₂W₁v`},lines:v,moment:m},pn(c,n.scale),{kind:`heat`,id:`input`,title:`Input representation W₁ᵀW₁`,label:`similarity of inputs`,matrix:I(x.input(0)),rows:S,columns:S},{kind:`heat`,id:`output`,title:`Output representation W₂W₂ᵀ`,label:`similarity of outputs`,matrix:I(x.output(0)),rows:C,columns:C}]}}function pn(e,t){let n={s:K[0],d:1},r=Math.min(t,.1),i=e=>{let[t,i]=[0,1e3];for(let a=0;a<80;a++){let a=.5*(t+i);Ve([a],n,r,e)[0]>=.5?i=a:t=a}return i},a=Array.from({length:121},(e,t)=>t/30),o=e=>{let t=i(e);return Ve(a.map(e=>e*t),n,r,e)};return{kind:`lines`,id:`shape`,title:`Sigmoid to exponential: one mode from ${_(r)}`,x:{label:`time / half-learning time`,values:a,range:[0,4]},y:{label:`strength / final strength`,range:[0,1.02]},lines:[{label:`balanced`,y:o(0),colour:6,dash:`dot`,role:`reference`},{label:`|λ| → ∞`,y:a.map(e=>1-(1-r)*(.5/(1-r))**e),colour:6,dash:`dash`,role:`reference`},{label:`here, λ = ${_(e)}`,y:o(e),colour:0}]}}function mn({lambda:e,scale:t},{name:n,distance:r,delay:i,lazyShare:a},o){let s=e>0?`the output layer is stronger`:e<0?`the input layer is stronger`:`the layers are balanced`,c=n===`lazy`?`learning is lazy: the kernel turns by ${_(r)} at most, and representations stay near their initial form`:n===`rich`?`learning is rich: the kernel turns by ${_(r)}, half of it by t = ${_(i)}, and representations take the structure of the task`:`learning is delayed rich: ${g(a)} of the loss is lost while the kernel hardly moves, then the kernel turns by ${_(r)}, half of it by t = ${_(i)}`,l=o>.15?`in sigmoids, after a delay`:o>.03?`almost exponentially`:`fast at first, with a long tail`;return`At λ = ${_(e)} and scale ${_(t)} ${s} and ${c}; the loss falls ${l}.`}function hn(e){let{problem:t,lambda:n}=en(e),r=new m(8),i=r.column(3,h(t.cross.columns),`inputs`),a=r.column(9,h(3),`hidden units`),o=r.column(15,h(t.cross.rows),`outputs`),[s,c]=[Math.sqrt(Math.max(1-n/3,.5)),Math.sqrt(Math.max(1+n/3,.5))];r.join(i,a,()=>({weight:s,colour:0})),r.join(a,o,()=>({weight:c,colour:1})),r.word(6,-.4,`W₁`),r.word(12,-.4,`W₂`);let l=n>0?`the output layer W₂ starts stronger`:n<0?`the input layer W₁ starts stronger`:`both layers start equally strong`;return r.done(`A linear network of two layers learns a map with three modes; ${l}.`)}let gn={id:`rich_and_lazy`,title:`Starts`,question:`Does a network learn new features, or does it only combine its initial ones?`,paper:{text:`Dominé et al. 2025, From lazy to rich: exact learning dynamics in deep linear networks`,href:`https://arxiv.org/abs/2409.14623`},terms:[`rich`,`kernel`,`balance`,`mode`,`strength`,`flow`,`area`],theory:{text:`Learning conserves the difference W₂ᵀW₂ − W₁W₁ᵀ between the two layers. If this difference is λ·1 and the inputs are whitened, learning has an exact solution. Small λ and small weights give rich learning: the tangent kernel turns, representations take the task's structure, and strengths rise along S-shaped curves. A square network with large |λ| is lazy, and its strengths rise exponentially towards their ends. A funnel (more inputs than outputs) is lazy only for λ > 0. With λ < 0 it first learns lazily and turns its kernel later, after a time of order |λ|/s². In a fan (more outputs than inputs) the signs are reversed.`,equations:[`W_{2}^{T} W_{2} − W_{1} W_{1}^{T} = λ 1,  Q = ( W_{1}^{T} ; W_{2} )`,`frac{d}{d t} (Q Q^{T}) = F Q Q^{T} + Q Q^{T} F − (Q Q^{T})^{2},  F = ( −frac{λ}{2}, Σ_{yx}^{T} ; Σ_{yx}, frac{λ}{2} )`,`\"one aligned mode:\"  frac{d a}{d t} = sqrt{λ^{2} + 4 a^{2}} (s − a)`,`K = 1 ⊗ X W_{1}^{T} W_{1} X^{T} + W_{2} W_{2}^{T} ⊗ X X^{T},  \"distance\" = 1 − frac{⟨K_{0}, K⟩}{‖K_{0}‖ ‖K‖}`]},controls:[{kind:`slider`,id:`lambda`,label:`Imbalance λ`,min:-10,max:10,step:.25,value:0,help:`W₂ᵀW₂ − W₁W₁ᵀ = λ·1; above 0 the output layer is stronger.`},{kind:`slider`,id:`scale`,label:`Initial scale`,min:.001,max:3,step:.05,value:.01,log:!0,help:`Root-mean-square singular value of the map W₂W₁ at time 0; about 0.78 for the task itself.`},{kind:`choice`,id:`shape`,label:`Shape`,value:`square`,options:Object.entries(Zt).map(([e,{label:t}])=>({value:e,label:t})),help:`Inputs, hidden units, outputs.`},p(e=>`t = ${_(q[0]*(q[1]/q[0])**e)}`)],schematic:hn,ask:{prompt:`Both layers start small and equally strong. Will the network keep its initial features, or learn new ones?`,options:[`It keeps and combines them: lazy learning`,`It learns new ones: rich learning`],right:e=>on(e).regime.name===`lazy`?0:1,because:`Small weights must align with the task before they can grow. Only if one layer is much stronger can the other layer learn alone and leave the features unchanged.`},view:fn,live:{label:`Train the network`,key:rn,run:dn},python:e=>{let{problem:t,lambda:n,scale:r,map:i,times:a}=en(e),o=e=>JSON.stringify(I(e));return[`import numpy as np`,`import scipy`,``,`import festina as fs`,``,`x = ${t.cross.columns} ** 0.5 * np.eye(${t.cross.columns})`,`task = fs.Task(x, x @ np.array(${o(R(t.cross))}))`,`initial = fs.initial.Balanced(${r}, lambda_=${n}, map=${o(i)})`,`network = fs.DeepLinear(hidden=(3,), initial=initial)`,`regime = network.regime(task)`,`loss = lambda t: float(fs.evolve(network, task, np.array([t])).loss[0])`,`latest = ${v(a[a.length-1])}`,`begin, end = loss(0.0), loss(latest)`,`lose = lambda share: scipy.optimize.brentq(lambda t: loss(t) - begin - share * (end - begin), 0.0, latest, xtol=1e-14)`,`numbers = {`,`    \"kernel_distance\": regime.kernel_distance,`,`    \"imbalance\": abs(initial.lambda_) / 2,`,`    \"delay\": regime.delay,`,`    \"lazy_share\": regime.lazy_share,`,`    \"wait\": lose(0.1) / lose(0.9),`,`}`].join(`\n`)}};function Y(e,t){return Array.from({length:e},(e,n)=>t(n))}function _n(e){let t=2**e;return Y(t,String).map((n,r)=>{let i=[];for(let n=0;n<=e;n++)for(let e=0;e<2**n;e++)i.push(+(Math.floor(r*2**n/t)===e));return i})}function vn(e){return Y(e,String).map((t,n)=>Y(e,String).map((e,t)=>+(t<=n)))}function yn(e,t){return Y(e*t,String).map((n,r)=>Y(e,String).map((e,n)=>+(Math.floor(r/t)===n)))}function bn(e){let t=e.reduce((e,t)=>e*t,1);return Y(t,String).map((n,r)=>{let[i,a,o]=[[],r,t];for(let t of e){o/=t;let e=Math.floor(a/o);a-=e*o,i=i.concat(Y(t,String).map((t,n)=>+(n===e)))}return i})}function xn(e,t,n){let r=F(t.rows,t.columns);for(let i=0;i<t.rows;i++)for(let a=0;a<t.columns;a++)r.data[i*t.columns+a]=t.data[i*t.columns+a]*Math.sqrt(n*Math.max(e[a],0));return z(r,R(t))}function Sn(e,t,n,r){let i=e**t,a=F(i,i);for(let r=0;r<i;r++)for(let o=0;o<i;o++){let s=t;for(let[t,n]=[r,o];t!==n;[t,n]=[Math.floor(t/e),Math.floor(n/e)])s--;a.data[r*i+o]=(1-2*n)**(2*(t-s))}let{values:o,vectors:s}=Mt(a);return xn(o,s,r)}function Cn(e,t,n,r){let i=F(e,e);for(let t=0;t<e;t++)i.data[t*e+t]=1/r**2;for(let[n,r]of t)i.data[n*e+n]+=1,i.data[r*e+r]+=1,--i.data[n*e+r],--i.data[r*e+n];let{values:a,vectors:o}=Mt(i);return xn(a.map(e=>1/e),o,n)}function wn(e,t,n){return Cn(e,Y(e,String).map((t,n)=>[n,(n+1)%e]),t,n)}function Tn(e,t,n,r){let i=[];for(let n=0;n<e*t;n++)(n+1)%t&&i.push([n,n+1]),n+t<e*t&&i.push([n,n+t]);return Cn(e*t,i,n,r)}function En(e){let{y:t}=e,n=t.rows,r=Pt(t),i=r.values[0]??0,a=r.values.filter(e=>e>1e-12*i).length,o=r.values.slice(0,a),s=[];for(let e=0;e<a;e++)e>0&&o[e-1]-o[e]<=1e-9*i?s[s.length-1].push(e):s.push([e]);let c=F(n,a);for(let e of s){let i=e.reduce((e,t)=>e+o[t],0)/e.length,s=e.length>1?kn(t,r.left,e,i):e.map(e=>On(Dn(r.left,e)));e.forEach((e,t)=>{o[e]=i;for(let r=0;r<n;r++)c.data[r*a+e]=s[t][r]})}let l=z(R(t),c);for(let e=0;e<l.rows;e++)for(let t=0;t<a;t++)l.data[e*a+t]/=o[t];return{s:o.map(e=>e/n),d:1/n,targets:o,left:l,right:c,groups:s}}function Dn(e,t){return Array.from({length:e.rows},(n,r)=>e.data[r*e.columns+t])}function On(e){return e.reduce((e,t)=>Math.abs(t)>Math.abs(e)+1e-9?t:e,0)<0?e.map(e=>-e):e}function kn(e,t,n,r){let i=n.map(e=>Dn(t,e)),a=(e,t)=>e.reduce((e,n,r)=>e+n*t[r],0),o=(e,t,n)=>e.map((e,r)=>e-n*t[r]),s=[],c=[...Array.from({length:e.columns},(t,n)=>Dn(e,n)),...i.map(e=>e.map(e=>r*e))];for(let t of c){let c=Array(e.rows).fill(0);for(let e of i)c=o(c,e,-a(t,e));for(let e=0;e<2;e++)for(let e of s)c=o(c,e,a(c,e));let l=Math.sqrt(a(c,c));if(!(l<.05*r)&&(s.push(On(c.map(e=>e/l))),s.length===n.length))break}return s}let An=[`canary`,`robin`,`salmon`,`sunfish`,`oak`,`pine`,`rose`,`daisy`],jn=[`grow`,`move`,`roots`,`fly`,`swim`,`bark`,`petals`,`sing`,`red breast`,`pink flesh`,`round body`,`acorns`,`needles`,`thorns`,`white rays`],Mn=e=>Y(e,e=>`item ${e+1}`),Nn=[{id:`hierarchy`,label:`Hierarchy`,items:An,branches:Y(8,String).map((e,t)=>t>>1),properties:jn,y:Dt(_n(3)),modes:[`everything: grow`,`animals | plants`,`birds | fish`,`trees | flowers`,`canary | robin`,`salmon | sunfish`,`oak | pine`,`rose | daisy`],python:`fs.tasks.living_things(8).statistics.strengths`},{id:`partition`,label:`Partition`,items:Y(9,e=>`${`abc`[Math.floor(e/3)]}${e%3+1}`),branches:Y(9,String).map((e,t)=>Math.floor(t/3)),properties:[`group a`,`group b`,`group c`],y:Dt(yn(3,3)),modes:[`group a`,`group b`,`group c`],python:`fs.tasks.partition(3, 3).statistics.strengths`},{id:`ring`,label:`Ring`,items:Mn(8),properties:Y(8,e=>`feature ${e+1}`),y:wn(8,8,2),python:`fs.tasks.mode_strengths(\"ring\", 8, features=8, sigma=2.0)`},{id:`ordering`,label:`Ordering`,items:Mn(8),properties:Y(8,e=>`at least ${e+1}`),y:Dt(vn(8)),python:`fs.tasks.ordering(8).statistics.strengths`},{id:`crossing`,label:`Cross-cutting dimensions`,items:Y(8,e=>`${e&4?`large`:`small`} ${e&2?`red`:`blue`} ${e&1?`disc`:`cube`}`),branches:Y(8,String).map((e,t)=>t>>2),properties:[`small`,`large`,`blue`,`red`,`cube`,`disc`],y:Dt(bn([2,2,2])),modes:[`what all share`,`small | large`,`blue | red`,`cube | disc`],python:`fs.tasks.dimensions((2, 2, 2)).statistics.strengths`},{id:`grid`,label:`Grid`,items:Y(9,e=>`${`abc`[Math.floor(e/3)]}${e%3+1}`),branches:Y(9,String).map((e,t)=>Math.floor(t/3)),properties:Y(9,e=>`feature ${e+1}`),y:Tn(3,3,9,2),python:`fs.tasks.mode_strengths(\"grid\", 3, 3, features=9, sigma=2.0)`},{id:`tree`,label:`Random tree`,items:Y(8,e=>`${(e>>2)+1}.${(e>>1&1)+1}.${(e&1)+1}`),branches:Y(8,String).map((e,t)=>t>>1),properties:Y(8,e=>`feature ${e+1}`),y:Sn(2,3,.1,8),modes:[`what all share`,`1 | 2`,`1.1 | 1.2`,`2.1 | 2.2`,`1.1.1 | 1.1.2`,`1.2.1 | 1.2.2`,`2.1.1 | 2.1.2`,`2.2.1 | 2.2.2`],python:`fs.tasks.mode_strengths(\"tree\", 2, 3, flip=0.1, features=8)`}],Pn=[0,.15,.45];function Fn(e){let{rows:t,columns:n}=e,r=F(t,n);for(let i=0;i<n;i++){let a=0;for(let r=0;r<t;r++)a+=e.data[r*n+i]/t;for(let o=0;o<t;o++)r.data[o*n+i]=e.data[o*n+i]-a}let{values:i,vectors:a}=Mt(V(r,r)),o=F(t,t);for(let e=0;e<t;e++)for(let n=0;n<t;n++)o.data[e*t+n]=a.data[e*t+n]*Math.sqrt(Math.max(i[n],0));return o}function In(e){let{rows:t,columns:n}=e,r=new Float64Array(t*t);for(let i=0;i<t;i++)for(let a=0;a<i;a++){let o=0;for(let t=0;t<n;t++)o+=(e.data[i*n+t]-e.data[a*n+t])**2;r[i*t+a]=r[a*t+i]=Math.sqrt(o)}return r}function Ln(e){let t=In(e),n=t.reduce((e,t)=>e+t*t,0),r=Fn(e);return Pn.map(i=>{let a=F(e.rows,2);for(let t=0;t<e.rows;t++)for(let e=0;e<r.columns;e++)a.data[2*t+e%2]+=r.data[t*r.columns+e]*(e<2?1:i*(e%4<2?1:-1));for(let e=0;e<300;e++)a=Rn(a,t);let o=In(a),s=n>0?Math.sqrt(t.reduce((e,t,n)=>e+(t-o[n])**2,0)/n):0;return{points:a,stress:s}}).reduce((e,t)=>t.stress<e.stress-1e-6?t:e)}function Rn(e,t){let n=e.rows,r=In(e),i=F(n,2);for(let a=0;a<n;a++)for(let o=0;o<n;o++){let s=r[a*n+o];if(a===o||s===0)continue;let c=t[a*n+o]/s/n;i.data[2*a]+=c*(e.data[2*a]-e.data[2*o]),i.data[2*a+1]+=c*(e.data[2*a+1]-e.data[2*o+1])}return i}function zn(e,t){let{left:n,right:r}=Pt(B(e,t));return V(n,r)}function Bn(e,t){return z(e,zn(e,t))}let Vn=/* @__PURE__ */ new Map;function Hn(e){let t=Vn.get(e);if(!t){let n=Nn.find(t=>t.id===e)??Nn[0];t={structure:n,...En(n)},Vn.set(e,t)}return t}function X(e,t){return{s:e.s[t],d:e.d}}let Un;function Wn(e){let t=[`structure`,`depth`,`start`].map(t=>e[t]).join(` `);return Un?.key!==t&&(Un={key:t,setting:Gn(e)}),Un.setting}function Gn(e){let t=Hn(u(e,`structure`)),n=u(e,`depth`),r=n===`inf`?1/0:Number(n),i=l(e,`start`),a=t.groups.map(([e])=>j(.98*t.targets[e],X(t,e),i,r)),o=f(Math.max(...a)),s=Array.from({length:201},(e,t)=>o*t/200),c={task:t,depth:r,start:i,end:o,times:s},d=Kn(c,s),p=s.map((e,n)=>$n(c,Zn(t,r,d.map(e=>e[n]))));return{...c,curves:d,paths:p,loss:s.map((e,n)=>qn(t,d,n))}}function Kn({task:e,depth:t,start:n},r){return e.groups.map(([i])=>ze(r,X(e,i),n,t))}function qn(e,t,n){return e.groups.reduce((r,i,a)=>r+.5*e.d*i.length*(t[a][n]-e.targets[i[0]])**2,0)}function Jn(e){return e===1||e===1/0?1:1/e}let Yn=/* @__PURE__ */ new Map;function Xn({task:e,depth:t}){let n=`${e.structure.id} ${t}`,r=Yn.get(n);return r||(r=B(e.right,Ln(Qn(e,t)).points),Yn.set(n,r)),r}function Zn(e,t,n){let r=F(e.right.rows,e.right.columns);return e.groups.forEach((i,a)=>{let o=Math.max(n[a],0)**Jn(t);for(let t of i)for(let n=0;n<r.rows;n++)r.data[n*r.columns+t]=o*e.right.data[n*r.columns+t]}),r}function Qn(e,t){return Zn(e,t,e.groups.map(([t])=>e.targets[t]))}function $n(e,t){let n=Xn(e),{task:r,depth:i}=e,a=F(n.rows,2);return r.groups.forEach(e=>{let t=r.targets[e[0]]**-Jn(i);for(let r of e)for(let e=0;e<2;e++)a.data[2*r+e]=t*n.data[2*r+e]}),I(z(t,a))}function*er(e){let t=Wn(e),{task:r,depth:i,start:a,end:o}=t;if(i===1/0)return;let[s,c,l]=[r.right.rows,r.left.rows,r.right.columns+2],d=n(7),f=tr(r,i,l,a,u(e,`weights`)===`random`,d),p=new ln(f,H(R(r.structure.y),1/s),r.d),m=He(X(r,0),i),h=Math.min(Math.max(.1*m,o/4e4),.5*m,o/600),g=Math.ceil(o/h),_={times:[],loss:[],strengths:Array.from({length:r.s.length},()=>[]),places:[],answers:[],expected:[],rate:h},v=e=>{_.times.push(e*h),_.loss.push(p.loss),un(p.map,r.left,r.right).forEach((e,t)=>_.strengths[t].push(e)),_.answers.push(I(R(p.map)));let n=Kn(t,[e*h]),a=n.map(([e])=>e);_.expected.push(qn(r,n,0));let o=Jn(i)===1?p.map:p.hidden(1);_.places.push($n(t,Bn(R(o),Zn(r,i,a))))},y=f.reduce((e,t)=>e+t.rows*t.columns*(s+c)*2,0)+c*s*l*i*2,b=0,x=0;for(let e=0;e<=g;e++)(e>=x||e===g)&&(v(e),x=Math.max(e+1,Math.round(_.times.length*g/159))),e<g&&p.step(h),b+=y,b>6e6&&(b=0,yield{..._});yield{..._}}function tr(e,t,n,r,i,a){let[o,s,c]=[e.right.rows,e.left.rows,e.right.columns];if(!i)return cn(e.right,e.left,n,t,r,a);if(t===1)return[J(s,o,r,a)];let l=Math.sqrt(2*r/n);return t===2?[J(n,o,l,a),J(s,n,l,a)]:cn(sn(o,c,a),sn(s,c,a),n,t,r,a)}function nr(e){let t=e.split(` `);return t.length>2?t.map(([e])=>e).join(``):e}function rr({structure:e},t){return e.modes?.[t]??`mode ${t+1}`}function ir(e,t){let[n,r,...i]=t.map(t=>rr(e,t));return r===void 0?n:`${n}; ${i.length?`and ${y[t.length-1]??t.length-1} more`:r}`}function ar(e,t){let n=Wn(e),{task:r,depth:i,start:a,end:o,times:s,curves:c,loss:d}=n,f=Math.round(l(e,`moment`)*200),p=i===1/0?`depth × flow time`:`flow time`,m={label:p,values:s,range:[0,o]},h=s[f],g=r.groups.map(([e])=>j(.5*r.targets[e],X(r,e),a,i)),_=X(r,0),v=[.1,.9].map(e=>j(e*r.targets[0],_,a,i)),y=r.groups.map((e,t)=>({label:ir(r,e),y:c[t],colour:7+t%6,...t>=6?{dash:`dash`}:{}})),x=[{id:`first`,label:`strongest mode half learned`,value:g[0],unit:p},{id:`last`,label:`weakest mode half learned`,value:g[g.length-1],unit:p},{id:`rise`,label:`rise time (10 to 90 %) of the strongest mode / its half-learning time`,value:(v[1]-v[0])/g[0]},{id:`loss`,label:`loss at this time`,value:d[f]}],S=[{label:`prediction`,y:d,colour:6}],C,w,T;if(t&&t.times.length>1){let e=r.groups.flatMap((e,n)=>e.map(r=>({label:`trained network`,x:t.times,y:t.strengths[r],colour:7+n%6,role:`trained`,among:e.length,quiet:!0})));y.unshift(...e),S.unshift({label:`trained network`,x:t.times,y:t.loss,colour:6,role:`trained`}),T=O(t.times,t.expected,t.loss),x.push({id:`area`,label:`area between prediction and network (∫|ΔL|/∫L)`,value:T});let n=t.times.findIndex(e=>e>=s[f]-1e-9*o);n>=0&&([C,w]=[t.places[n],t.answers[n]])}let E=Array.from({length:40},(e,t)=>Math.round(f*t/39)).map(e=>n.paths[e]),ee=r.structure.items.map((e,t)=>({label:nr(e),x:E[39][t][0],y:E[39][t][1],colour:r.structure.branches?r.structure.branches[t]%6:0,trail:E.map(e=>e[t])})),te=Math.max(...$n(n,Qn(r,i)).flat().map(Math.abs)),ne=[-1.25*te,1.25*te],re=z(r.left,R(or(r,c,f))),ie=Math.max(...r.structure.y.data),ae=(e,t,n)=>({kind:`heat`,id:e,title:t,label:`answer`,wide:!0,matrix:n,rows:r.structure.items,columns:r.structure.properties,bound:ie}),oe=u(e,`weights`)===`random`?`random weights must first align with the modes`:`the training step is not small for these initial weights`;return{sentence:sr(n,g,(v[1]-v[0])/g[0])+(i===1/0?` A network with infinitely many layers cannot be trained; this is the limit of deeper and deeper networks.`:b(T,`The trained network`,oe)),numbers:x,charts:[{kind:`lines`,id:`strengths`,title:`Strength of each mode`,x:m,y:{label:`strength a`},lines:y,direct:!0,moment:h},{kind:`lines`,id:`loss`,title:`Loss`,x:m,y:{label:`loss`},lines:S,moment:h},{kind:`scatter`,id:`representation`,equal:!0,title:`${Jn(i)===1?`Answers to the items`:`Items in the first hidden layer`}${C?` (rings: the trained network)`:``}`,x:{label:`dimension 1`,range:ne},y:{label:`dimension 2`,range:ne},points:[...(C??[]).map(([e,t])=>({label:``,x:e,y:t,colour:6,ring:!0})),...ee]},{kind:`heat`,id:`vectors`,title:`Which items each mode separates (v)`,label:`entry of v`,tall:!0,matrix:I(R(r.right)),rows:r.groups.flatMap(e=>e.map(e=>rr(r,e))),columns:r.structure.items},ae(`answers`,`Predicted answers at this time`,I(R(re))),w?ae(`network_answers`,`The trained network's answers`,w):ae(`targets`,`Target answers`,I(r.structure.y))]}}function or(e,t,n){let r=F(e.right.rows,e.right.columns);return e.groups.forEach((i,a)=>{for(let o of i)for(let i=0;i<r.rows;i++)r.data[i*r.columns+o]=t[a][n]*e.right.data[i*r.columns+o]}),r}function sr({task:e,depth:t,start:n},r,i){let[a,o]=[r[0],r[r.length-1]];if(t===1)return`One layer learns all modes at once, so there are no stages. Every mode approaches its end at the same rate d = ${_(e.d)} and is half learned at t ≈ ${_(a)}.`;let s=t===1/0?`Infinitely many layers`:`${{2:`Two`,3:`Three`,4:`Four`,6:`Six`}[t]??t} layers`,c=i<.5?`suddenly, after a long delay`:i<1.2?`along an S-shaped curve`:`gradually, because it starts large`;return e.groups.length===1?`${s} learn all modes together from strength ${_(n)}, because they are equally strong: each is half learned at ${_(a)} and rises ${c}.`:`${s} learn one mode after another from strength ${_(n)}: the strongest is half learned at ${_(a)}, the weakest at ${_(o)}, which takes ${_(o/a)} times as long; each rises ${c}.`}function cr(e){let{task:t,depth:n}=Wn(e),{items:r,properties:i,branches:a}=t.structure,o=new m(9),s=e=>({colour:a?a[e]%6:0}),c=n===1/0?4:n,l=o.column(6,r.map(nr),`items`,e=>({...s(e),side:`left`}));for(let e=1;e<c;e++){let t=o.column(6+9*e/c,h(5),n===1/0&&e===2?`…`:c===2?`hidden units`:``);o.join(l,t,t=>e===1?{...s(t),weight:.7}:{weight:.7}),l=t}let u=o.column(15,h(Math.min(i.length,9)),`properties`);o.join(l,u,e=>c===1?{...s(e),weight:.7}:{weight:.7});let d=n===1/0?`infinitely many layers`:n===1?`one layer`:`${{2:`two`,3:`three`,4:`four`,6:`six`}[n]??n} layers`;return o.done(`A linear network with ${d} of weights learns which of ${i.length} properties each of ${r.length} items has.${a?` Items of one branch share a colour.`:``}`)}let lr={id:`modes`,title:`Stages`,question:`What does a network learn first?`,paper:{text:`Saxe, McClelland & Ganguli 2014, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks`,href:`https://arxiv.org/abs/1312.6120`},terms:[`mode`,`strength`,`singular`,`loss`,`flow`,`area`],theory:{text:`The correlation of items with properties is a sum of modes, Σyx = U S Vᵀ. From small weights that are equally strong in every layer, each mode grows independently, and strong modes grow first: broad distinctions before fine ones. One layer has no such stages. More layers wait longer and then rise more suddenly. The map shows the items as they are at the end of learning, with distances kept as well as a plane allows. Each mode moves the items along a straight line of this map. The structures are those of Saxe, McClelland & Ganguli 2019.`,equations:[`frac{d a}{d t} = D a^{2−2/D} (s − d a),  L = frac{1}{2} Σ d (a − frac{s}{d})^{2}`,`D = 1:  a(t) = frac{s}{d} (1 − e^{−d t}) + a_{0} e^{−d t}`,`D = 2:  a(t) = frac{s / d}{1 − (1 − frac{s}{d a_{0}}) e^{−2 s t}}`,`D → ∞,  T = D t:  a(T) = frac{s / d}{1 + W_{0}( z_{0} e^{z_{0} − s^{2} T / d} )},  z_{0} = frac{s}{d a_{0}} − 1`]},controls:[{kind:`choice`,id:`structure`,label:`Structure`,value:`hierarchy`,options:Nn.map(({id:e,label:t})=>({value:e,label:t})),help:`What the items have in common.`},{kind:`choice`,id:`depth`,label:`Layers`,value:`2`,help:`Number of weight layers D.`,options:[...[`1`,`2`,`3`,`4`,`6`].map(e=>({value:e,label:e})),{value:`inf`,label:`∞`}]},{kind:`slider`,id:`start`,label:`Initial strength u₀`,min:1e-5,max:.2,step:.05,value:.001,log:!0,help:`Strength of every mode at time 0: the product over all layers.`},p(e=>`${Math.round(100*e)} %`),{kind:`choice`,id:`weights`,label:`Initial weights of the trained network`,value:`aligned`,help:`This formula assumes initial weights that are aligned with the modes; the story uses the random weights themselves. From random weights of the same size, deep networks learn later.`,options:[{value:`aligned`,label:`aligned`},{value:`random`,label:`random`}]}],schematic:cr,ask:{prompt:`The network learns the properties of eight living things. When will it know that a canary is not a fish?`,options:[`Before it can tell animals from plants`,`After it can tell animals from plants, before it can tell a canary from a robin`,`Last of all, because a canary and a fish are both animals`],right:e=>{if(u(e,`structure`)!==`hierarchy`||u(e,`depth`)===`1`)return;let{task:t,start:n,depth:r}=Wn(e),[,i,a,o]=t.groups.map(([e])=>j(.5*t.targets[e],X(t,e),n,r));return a<i?0:a<(o??1/0)?1:2},because:`Broad distinctions are shared by more items, so their modes are stronger and are learned earlier.`},view:ar,live:{label:`Train a linear network`,impossible:e=>u(e,`depth`)===`inf`?`A network with infinitely many layers cannot be trained.`:void 0,key:e=>[`structure`,`depth`,`start`,`weights`].map(t=>e[t]).join(` `),run:er},python:e=>{let{task:t,depth:n,start:r,times:i}=Wn(e),a=Math.round(l(e,`moment`)*200);return[`import math`,``,`import festina as fs`,``,`s = ${t.structure.python}`,`d, depth, start = 1 / ${t.structure.items.length}, ${n===1/0?`math.inf`:n}, ${r}`,`reach = lambda share, s: fs.linear.time_to_strength(share * s / d, s, d, start, depth)`,`half = reach(0.5, s)`,`now = fs.linear.strength(${v(i[a])}, s, d, start, depth)`,`numbers = {`,`    \"first\": float(half[0]),`,`    \"last\": float(half[-1]),`,`    \"rise\": float((reach(0.9, s[0]) - reach(0.1, s[0])) / half[0]),`,`    \"loss\": float(0.5 * d * sum((now - s / d) ** 2)),`,`}`].join(`\n`)}};function ur({rateH:e,rateY:t,dx:n,y:r,h:i}){return i-e/t*n*r/i}function dr({rateH:e,rateY:t,dx:n,dy:r}){return Math.sqrt(e/t*n*r)}function fr(e,t){let n=.5*Math.abs(e)+.5*Math.hypot(e,2*t);return e>=0?n:t/(n>0?n:1)*t}function pr(e){let[t,n]=[ur(e),dr(e)],r=Math.hypot(t,2*n),i=fr(t,n),a=fr(-t,n);return[{h:0,eigenvalues:[e.rateY*i,-e.rateY*a]},{h:i,eigenvalues:[-e.rateY*r/2,-e.rateY*i]}]}function mr(e,t){return e===0?t:Math.expm1(e*t)/e}function hr(e,t){let{dx:n,dy:r,rateH:i,rateY:a,h:o,y:s,w:c}=e,l=Math.sqrt(n*i*a)/2,u=Math.sqrt(2*o/(n*i)),d=Math.sqrt(2*s/(o*a)),f=s*r>0?Math.min(1,Math.max(-1,(s-c)/Math.sqrt(s*r))):0,p=d*f,m=d*Math.sqrt((1-f)*(1+f)),h=-a*ur(e)/4,g=l*Math.sqrt(r),_=Math.hypot(h,g),[v,y]=h>=0?[g,_+h]:[_-h,g],b=Math.hypot(v,y),[x,S]=b>0?[v/b,y/b]:[1,0],C=x*u+S*p,w=S*u-x*p,T=h<=0?_-h:_>0?g**2/(_+h):0,E={h:[],y:[],w:[],error:[]},ee=Math.sqrt(r);for(let e of t){let t=Math.min(e,1e300),r=Math.exp(-2*_*t),a=mr(-2*_,t),o=h<=0?r*mr(2*h,t):Math.exp(-2*T*t)*mr(-2*h,t),s=r+l**2*(C**2*a+w**2*r*a+m**2*o),c=Math.sqrt(s),u=e=>s>0?e/c:0,d=u(x*C+S*w*r),f=l*d*u(S*C-x*w*r),p=l*d*u(m*Math.exp(-T*t));E.h.push(n*i/2*d**2),E.y.push(f**2+p**2),E.w.push(f*(f-ee)+p**2),E.error.push((f-ee)**2+p**2)}return E}function gr(e){return{...e,dy:0,w:e.y}}function _r(e,t){let n=t=>hr(e,[t]).error[0],[r,i]=[n(0),n(1/0)],a=r+t*(i-r);if(!(r>i))return 0;let o=e=>n(e)<=a,s=1/(e.rateY+e.rateH);for(let e=0;e<200&&!o(s);e++)s*=2;let c=0;for(let e=0;e<100&&s-c>1e-14*s;e++){let e=.5*(s+c);o(e)?s=e:c=e}return s}let Z=[4,32,32,32,3];var vr=class{weights;activity;slopes;targets;constructor(e,t){let r=n(t);this.weights=Z.slice(1).map((e,t)=>J(e,Z[t],1/Math.sqrt(Z[t]),r)),this.activity=Z.map(e=>F(e,2)),this.slopes=Z.map(e=>F(e,2));let i=xr(yr(Z[0],r)),a=xr(Sr(yr(Z[0],r),i));i.forEach((t,n)=>{this.activity[0].data[2*n]=a[n]-t*e.dx/2,this.activity[0].data[2*n+1]=a[n]+t*e.dx/2});let o=this.weights.length;this.forward(),this.rescale(0,2,e.encoder*e.dx/br(this.difference(2))),this.rescale(2,o,e.decoder*e.encoder*e.dx/br(this.difference(o)));let s=xr(this.difference(o)),c=xr(Sr(yr(s.length,r),s)),l=Math.sqrt(1-e.cosine**2);this.targets=F(s.length,2),s.forEach((t,n)=>{let r=e.dy*(e.cosine*t+l*c[n])/2,i=.5*(this.activity[o].data[2*n]+this.activity[o].data[2*n+1]);this.targets.data[2*n]=i-r,this.targets.data[2*n+1]=i+r})}rescale(e,t,n){let r=n**(1/(t-e));for(let n=e;n<t;n++)this.weights[n].data.forEach((e,t,n)=>n[t]=r*e);this.forward()}forward(){let e=this.weights.length;for(let t=0;t<e;t++){let{data:n}=z(this.weights[t],this.activity[t],this.activity[t+1]),r=this.slopes[t+1].data;for(let i=0;i<n.length;i++)r[i]=t===e-1||n[i]>0?1:.2,n[i]*=r[i]}}difference(e){let{data:t,rows:n}=this.activity[e];return Array.from({length:n},(e,n)=>t[2*n+1]-t[2*n])}get state(){let[e,t]=[this.difference(2),this.difference(this.weights.length)],n=t.reduce((e,t)=>e+t*t,0),r=n-t.reduce((e,t,n)=>e+t*(this.targets.data[2*n+1]-this.targets.data[2*n]),0);return{h:e.reduce((e,t)=>e+t*t,0),y:n,w:r}}get loss(){return this.activity[this.weights.length].data.reduce((e,t,n)=>e+(t-this.targets.data[n])**2,0)/4}descent(){let e=this.weights.length,t=F(Z[e],2);t.data.forEach((n,r)=>t.data[r]=(this.targets.data[r]-this.activity[e].data[r])/2);let n=[];for(let r=e-1;r>=0;r--)n.unshift(V(t,this.activity[r])),t=B(this.weights[r],t),t.data.forEach((e,n)=>t.data[n]=e*this.slopes[r].data[n]);return n}step(e){this.descent().forEach((t,n)=>{let{data:r}=this.weights[n];for(let n=0;n<r.length;n++)r[n]+=e*t.data[n]}),this.forward()}};function yr(e,t){return Array.from({length:e},t)}function br(e){return Math.hypot(...e)}function xr(e){let t=br(e);return e.map(e=>e/t)}function Sr(e,t){let n=e.reduce((e,n,r)=>e+n*t[r],0);return e.map((e,r)=>e-n*t[r])}let Cr=Array.from({length:33},(e,t)=>-2+t/8),wr=[-.5,0,.5],Tr=Math.log(1e8);function Er(e,t,n){let{times:r,h:i,y:a,w:o}=e,s=r.map((e,t)=>.5*((r[t+1]??e)-(r[t-1]??e))),c=r.map(e=>e-r[0]),l=e=>({dx:t,dy:n,rateH:Math.exp(e[0]),rateY:Math.exp(e[1]),h:i[0],y:a[0],w:o[0]}),u=r.map((e,t)=>t),d=(e,t)=>{let n=hr(l(e),t.map(e=>c[e])),r=new Float64Array(3*t.length);return t.forEach((e,t)=>{let c=Math.sqrt(s[e]);r[3*t]=(n.h[t]-i[e])*c,r[3*t+1]=(n.y[t]-a[e])*c,r[3*t+2]=(n.w[t]-o[e])*c}),r},f=e=>e.reduce((e,t)=>e+t*t,0),p=u.length<=100?u:Array.from({length:100},(e,t)=>Math.round(t*(u.length-1)/99)),[m,h]=Dr(e,t),g=[m,h],_=1/0;for(let e of Cr)for(let t of wr){let n=[m+Math.LN10*e,h+Math.LN10*(e+t)],r=f(d(n,p));r<_&&([g,_]=[n,r])}g=Or(e=>d(e,u),g);let v=u.reduce((e,t)=>e+s[t]*(i[t]**2+a[t]**2+o[t]**2),0);return{pair:l(g),error:Math.sqrt(f(d(g,u))/v)}}function Dr({times:e,h:t,y:n,w:r},i){let[a,o,s,c,l]=[0,0,0,0,0];e.forEach((u,d)=>{d>0&&(a+=.5*(r[d]+r[d-1])*(u-e[d-1])),o+=-i*a*(t[d]-t[0]),s+=(i*a)**2;let f=t[d]*(t[d]-t[0])/i;c+=f*(n[d]-n[0]/t[0]*t[d]),l+=f**2});let u=(e,t,n)=>e/t>0&&Number.isFinite(e/t)?e/t:n,d=u(o,s,1/(e[e.length-1]-e[0]));return[Math.log(d),Math.log(d*u(c,l,1))]}function Or(e,t){let n=[...t],r=e(n),i=r.reduce((e,t)=>e+t*t,0),a=.001;for(let o=0;o<60;o++){let o=[0,1].map(t=>{let r=1e-5,[i,a]=[r,-1e-5].map(r=>e(t===0?[n[0]+r,n[1]]:[n[0],n[1]+r]));return i.map((e,t)=>(e-a[t])/(2*r))}),s=(e,t)=>e.reduce((e,n,r)=>e+n*t[r],0),[c,l,u]=[s(o[0],o[0]),s(o[0],o[1]),s(o[1],o[1])],[d,f]=[s(o[0],r),s(o[1],r)],p=!1;for(;!p&&a<0xe8d4a51000;){let[o,s]=[c*(1+a),u*(1+a)],m=o*s-l*l;if(!(m>0))return n;let h=[(l*f-s*d)/m,(l*d-o*f)/m],g=e=>Math.max(t[e]-Tr,Math.min(t[e]+Tr,n[e]+Math.max(-1,Math.min(1,h[e])))),_=[g(0),g(1)],v=e(_),y=v.reduce((e,t)=>e+t*t,0);if(p=y<=i,p){let e=Math.hypot(...h)<1e-11||i-y<=1e-15*i;if([n,r,i,a]=[_,v,y,a/10],e)return n}else a*=10}if(!p)return n}return n}let kr=6e4;function*Ar(e){let t={dx:l(e,`dx`),dy:l(e,`dy`),cosine:l(e,`cosine`),encoder:l(e,`encoder`),decoder:l(e,`decoder`)};for(let e=.1;e>1e-12;e/=3)if(yield*jr(t,e/4))return}function*jr(e,t){let n=new vr(e,1),r=n.loss,i={times:[],h:[],y:[],w:[]},a=()=>({...i,rate:t,fit:Er(i,e.dx**2,e.dy**2)}),[o,s]=[1,kr];for(let e=0;e<=s;e++){if(e%o===0){let{h:r,y:a,w:s}=n.state;if(i.times.push(e*t),i.h.push(r),i.y.push(a),i.w.push(s),i.times.length>320){let e=e=>e.filter((e,t)=>t%2==0);i={times:e(i.times),h:e(i.h),y:e(i.y),w:e(i.w)},o*=2}}n.step(t);let{loss:c}=n;if(!(c<=1.5*r)&&c>1e-12)return!1;c<=1e-4*r&&s===kr&&(s=Math.min(kr,Math.ceil(1.33*e)+4)),(e+1)%200==0&&(yield a())}return yield a(),!0}let Mr=Array.from({length:73},(e,t)=>10**(-2+t/24));function Nr(e,t=l(e,`encoder`),n=l(e,`decoder`)){let r=l(e,`dx`)**2,i=l(e,`dy`)**2,a=t**2*r,o=n**2*a;return{dx:r,dy:i,rateH:l(e,`rate_h`),rateY:l(e,`rate_y`),h:a,y:o,w:o-l(e,`cosine`)*Math.sqrt(o*i)}}function Pr(e){return fr(ur(e),dr(e))}function Fr(e,t){let n=Nr(e),[r,i]=pr(n),[a,o]=[ur(n),dr(n)],[s,c]=[_r(n,.1),_r(n,.9)],u=c>0?s/c:0,d=Math.min(...i.eigenvalues.map(Math.abs)),f=Math.min(Math.max(1.6*c,c+4/d),4*c)||1,p=Array.from({length:241},(e,t)=>f*t/240),m=hr(n,p),h=hr(gr(n),p),g={label:`time (in the unit of τ)`,values:p,range:[0,f]},_=[{axis:`x`,at:s,label:`10 %`},{axis:`x`,at:c,label:`90 %`}],v=Math.min(...m.h),y=Math.round(l(e,`moment`)*240),b=p[y],x=v<.1*Math.min(n.h,i.h),S=[{label:`h`,y:m.h,colour:0},{label:`h for equal targets`,y:h.h,colour:0,role:`reference`,dash:`dash`}];return{sentence:zr(n,i.h,u,x)+Rr(t),numbers:[{id:`final`,label:`final distance h∞`,value:i.h},{id:`low`,label:`A low: set by inputs and targets`,value:o},{id:`high`,label:`A high: set by the initial weights`,value:a},{id:`escape`,label:`growth rate away from h = 0`,value:r.eigenvalues[0],unit:`1/time`},{id:`settle`,label:`slowest rate at the end`,value:d,unit:`1/time`},{id:`wait`,label:`plateau: time to 10 % / time to 90 % learned`,value:u},...t?Ir(t):[]],charts:[{kind:`lines`,id:`h`,title:`Distance between the two representations`,x:g,y:{label:`h = ‖h₂ − h₁‖²`},lines:S,moment:b,marks:[{axis:`y`,at:i.h,label:`h∞`,side:`left`}]},{kind:`lines`,id:`outputs`,title:`Distance between the two outputs`,x:g,y:{label:`squared distance`},lines:[{label:`y = ‖ŷ₂ − ŷ₁‖²`,y:m.y,colour:2},{label:`w = y − (ŷ₂ − ŷ₁)·(y₂ − y₁)`,y:m.w,colour:3,dash:`dash`}],moment:b,marks:[{axis:`y`,at:n.dy,label:`target`,side:`left`}]},...t?Lr(t):[],{kind:`lines`,id:`error`,title:`Error of the difference, and its plateau`,x:g,y:{label:`squared error`},lines:[{label:`2w − y + ‖y₂ − y₁‖²`,y:m.error,colour:1}],marks:_,moment:b},{kind:`scatter`,id:`phase`,title:`Path from the start past the saddle to the end`,x:{label:`h`},y:{label:`w`},points:[{label:``,x:m.h[y],y:m.w[y],colour:0,trail:m.h.slice(0,y+1).map((e,t)=>[e,m.w[t]])},{label:`end`,x:i.h,y:0,colour:2},{label:`saddle`,x:r.h,y:0,colour:6},{label:`start`,x:n.h,y:n.w,colour:1}]},{kind:`lines`,id:`gains`,title:`Final distance for other initial gains`,wide:!0,x:{label:`gain`,values:Mr,log:!0,range:[.01,10]},y:{label:`h∞ = final ‖h₂ − h₁‖²`,log:!0},lines:[{label:`other encoder gains`,y:Mr.map(t=>Pr(Nr(e,t))),colour:0},{label:`other decoder gains`,y:Mr.map(t=>Pr(Nr(e,void 0,t))),colour:1,dash:`dashdot`},...o>0?[{label:`A low, set by inputs and targets`,y:Mr.map(()=>o),colour:2,role:`reference`,dash:`dash`}]:[]],marks:[{axis:`x`,at:l(e,`encoder`),label:`encoder`,colour:0},{axis:`x`,at:l(e,`decoder`),label:`decoder`,colour:1}]}]}}function Ir({fit:e,h:t}){return[{id:`fit_error`,label:`error of the theory with fitted rates`,value:e.error},{id:`fit_h`,label:`network's 1/τh`,value:e.pair.rateH,unit:`1/time`},{id:`fit_y`,label:`network's 1/τy`,value:e.pair.rateY,unit:`1/time`},{id:`fit_final`,label:`h∞ at these rates`,value:Pr(e.pair)},{id:`network_final`,label:`network's h now`,value:t[t.length-1]}]}function Lr(e){let{times:t,fit:n}=e,r=hr(n.pair,t),i={label:`flow time of the network`,values:t},a=(t,n)=>[{label:`${t}, trained network`,y:e[t],colour:n,role:`trained`},{label:`${t}, theory with fitted rates`,y:r[t],colour:n}];return[{kind:`lines`,id:`network_h`,title:`A leaky-ReLU network with these initial gains`,x:i,y:{label:`h = ‖h₂ − h₁‖²`},lines:a(`h`,0)},{kind:`lines`,id:`network_y`,title:`Its outputs`,x:i,y:{label:`squared distance`},lines:[...a(`y`,2),...a(`w`,3).map((e,t)=>t?{...e,dash:`dash`}:e)]}]}function Rr(e){if(!e)return` The comparison with training appears after a network has been trained.`;let{error:t}=e.fit,n=g(t);return t<=.05?` With its two rates fitted, the theory matches the trained network within ${n} of the size of the curves.`:` With its two rates fitted, the theory differs from the trained network by ${n} of the size of the curves, as the charts below show. The theory treats encoder and decoder as linear maps with constant rates; in a network of this size the rates change during learning.`}function zr(e,t,n,r){let i=dr(e);return`${e.dy===0?t>0?`The targets are equal, but the representations stay ${_(t)} apart, because the decoder learns to ignore their initial difference`:`The targets are equal and the representations merge, because the encoder learns to remove their difference`:Math.abs(t/i-1)<.1?`The distance ends at ${_(t)}, set by inputs and targets alone (A low = ${_(i)}): the rich regime`:t>i?`The distance ends at ${_(t)}, above the value ${_(i)} set by inputs and targets, because large encoder weights persist: the lazy regime`:`The distance ends at ${_(t)}, below the value ${_(i)} set by inputs and targets, because a strong decoder needs little difference`}; the error falls ${n>.5?`after a long plateau, because it starts near the saddle h = 0`:n>.2?`after a short plateau`:`without a plateau`}${r?`, and on the way the two points nearly merge`:``}.`}function Br(e){let[t,n]=[l(e,`dx`),l(e,`dy`)],r=new m(7),i=e=>.7+Math.min(e,3)*.8,a=(e,t,n)=>n.map((n,i)=>r.node({x:e,y:3.5+(i?t:-t),shape:`square`,colour:i,label:n,side:e<5?`left`:`right`})),[o,s]=[a(3,i(t),[`x₁`,`x₂`]),a(17,i(n),[`y₁`,`y₂`])],c=i(Math.sqrt(t*n)),u=a(10,c,[``,``]);return r.word(10,3.5-c-.95,`h₁`),r.word(10,3.5+c+.95,`h₂`),[0,1].forEach(e=>{r.join([o[e]],[u[e]],()=>({colour:e,weight:1.6})),r.join([u[e]],[s[e]],()=>({colour:e,weight:1.6}))}),r.word(6.5,3.5,`encoder`),r.word(13.7,3.5,`decoder`),r.word(3,8,`inputs`),r.word(10,8,`representations`),r.word(17,8,`targets`),r.done(`Two inputs pass through an encoder and a decoder; the distances between inputs and between targets are given, the distance between representations is learned.`)}let Vr={id:`two_points`,title:`Representations`,question:`How far apart will a network represent two inputs that it learns together?`,paper:{text:`van Rossem & Saxe 2024, When representations align: universality in representation learning dynamics`,href:`https://arxiv.org/abs/2402.09142`},terms:[`representation`,`encoder`,`saddle`,`rich`,`flow`],theory:{text:`The theory holds for any architecture whose encoder and decoder are flexible enough to act as linear maps on two nearby points. Three numbers then follow closed equations: the squared distances of the representations (h) and of the outputs (y), and w, which compares outputs with targets. They are solved here in closed form. The point h = 0 is a saddle: small weights stay near it for a while, which gives the plateau. Two numbers set the final distance: A low depends only on inputs and targets, and A high depends on the initial weights. The trained network (4–32–32–32–3, leaky ReLU, representation in the middle) starts with the same gains, distances and cosine. Its two rates are not known in advance and are fitted to its curves.`,equations:[`frac{d h}{d t} = −frac{1}{τ_{h}} dx w`,`frac{d y}{d t} = −w ( frac{h}{τ_{y}} + frac{1}{τ_{h}} frac{dx y}{h} )`,`frac{d w}{d t} = −frac{1}{2 τ_{y}} (3 w − y + dy) h − frac{1}{2 τ_{h}} dx frac{(y + w) w}{h}`,`h_{∞} = frac{1}{2} A_{high} + sqrt{frac{1}{4} A_{high}^{2} + A_{low}^{2}}`,`A_{high} = h_{0} − frac{τ_{y}}{τ_{h}} frac{dx y_{0}}{h_{0}},  A_{low}^{2} = frac{τ_{y}}{τ_{h}} dx dy`]},controls:[{kind:`slider`,id:`encoder`,label:`Encoder gain`,min:.01,max:10,step:.05,value:.3,log:!0,help:`‖h₂ − h₁‖ / ‖x₂ − x₁‖ at time 0.`},{kind:`slider`,id:`decoder`,label:`Decoder gain`,min:.01,max:10,step:.05,value:.3,log:!0,help:`‖ŷ₂ − ŷ₁‖ / ‖h₂ − h₁‖ at time 0.`},{kind:`slider`,id:`cosine`,more:!0,label:`Initial cosine`,min:-1,max:1,step:.05,value:0,help:`Cosine between the difference of the outputs and the difference of the targets at time 0; if it is negative the points must first merge.`},{kind:`slider`,id:`dx`,more:!0,label:`Distance between inputs`,min:.1,max:3,step:.05,value:.5,help:`‖x₂ − x₁‖.`},{kind:`slider`,id:`dy`,more:!0,label:`Distance between targets`,min:0,max:3,step:.05,value:.5,help:`‖y₂ − y₁‖.`},{kind:`slider`,id:`rate_h`,more:!0,label:`Encoder rate 1/τh`,min:.05,max:5,step:.05,value:.5,log:!0,help:`Effective learning rate of the encoder.`},{kind:`slider`,id:`rate_y`,more:!0,label:`Decoder rate 1/τy`,min:.05,max:5,step:.05,value:.5,log:!0,help:`Effective learning rate of the decoder.`},p(e=>`${Math.round(100*e)} %`)],schematic:Br,main:[`network_h`,`h`],ask:{prompt:`A network with small weights learns different targets for two inputs. What decides how far apart it will represent them in the end?`,options:[`Its initial weights`,`The distances between inputs and between targets alone`],right:e=>{let t=Nr(e);return+(Math.abs(Pr(t)/dr(t)-1)<.1)},because:`From small weights every network passes close to the same saddle, where it has forgotten its initial weights.`},view:Fr,live:{label:`Train a leaky-ReLU network`,fitted:`The form of its line is predicted; its two rates cannot be known in advance and are fitted.`,key:e=>[`encoder`,`decoder`,`cosine`,`dx`,`dy`].map(t=>e[t]).join(` `),run:Ar},python:e=>{let{rateH:t,rateY:n}=Nr(e),r=t=>v(l(e,t));return[`import scipy`,``,`import festina as fs`,``,`dx, dy = ${r(`dx`)} ** 2, ${r(`dy`)} ** 2`,`h = ${r(`encoder`)} ** 2 * dx`,`y = ${r(`decoder`)} ** 2 * h`,`w = y - ${r(`cosine`)} * (y * dy) ** 0.5`,`pair = fs.representation.TwoPoint(dx=dx, dy=dy, rates=(${t}, ${n}), start=(h, y, w))`,`saddle, end = pair.fixed_points`,``,``,`def error(t):`,`    state = pair.solve(t)`,`    return float(2 * state.w - state.y + pair.dy)`,``,``,`def lose(share):`,`    goal, latest = error(0.0) + share * (error(float('inf')) - error(0.0)), 1.0`,`    while error(latest) > goal:`,`        latest *= 2`,`    return scipy.optimize.brentq(lambda t: error(t) - goal, 0.0, latest, xtol=1e-14)`,``,``,`numbers = {`,`    \"final\": pair.final_distance,`,`    \"low\": pair.low,`,`    \"high\": pair.high,`,`    \"escape\": saddle.eigenvalues[0],`,`    \"settle\": min(map(abs, end.eigenvalues)),`,`    \"wait\": lose(0.9) and lose(0.1) / lose(0.9),`,`}`].join(`\n`)}},Hr=Math.sqrt(2/3);function Ur(e){return{name:`linear`,pathways:2,s:e/2,d:e*e/2}}function Wr(e){let t=2+e*e;return{name:`xor`,pathways:4,s:Math.sqrt(t)/4,d:t/4}}function Gr(e,t,n,r){return r===0?0:r/(r*(t>0?-Math.expm1(-2*t*e)*n/t:2*n*e)+Math.exp(-2*t*e))}function Kr(e,t){return e>0?Math.log1p(t*e)/e:t}function qr(e,t,n){return Math.floor(t/e.pathways)*n*n/2}function Jr(e,t,n,r){let{pathways:i,s:a,d:o}=e;if(a===0)return .5;let s=Gr(t*Kr(a,n),a,o,r);return .5-i*a*s+.5*i*o*s*s}function Yr(e,t,n,r){let{s:i,d:a}=e;if(i===0||r===0)return 1/0;let o=1-Math.sqrt(2*t),s=r*a/i;return s>=o?0:Math.log(o*(1-s)/(s*(1-o)))/(2*i)/Kr(i,n)}let Q=.2,Xr=Array.from({length:13},(e,t)=>t/4);function Zr(e){let[t,n,r]=[l(e,`delta`),l(e,`units`),l(e,`rate`)],i=l(e,`scale`)/Math.sqrt(n),a=[Ur(t),Wr(t)].map(e=>Yr(e,Q,r,qr(e,n,i))),o=Math.max(10,Math.ceil(Math.min(1.3*Math.max(...a),3*Math.min(...a))));return{delta:t,units:n,rate:r,std:i,last:o,every:Math.ceil(o/300)}}function Qr({last:e,every:t}){return Array.from({length:Math.floor(e/t)+1},(e,n)=>n*t)}function*$r(e){let t=Zr(e),{units:n,rate:r,std:i,every:a}=t,o=Qr(t),s=Math.max(1,Math.round(1e5/n)),c=xe(t.delta),l=Array.from({length:5},(e,t)=>se.random(c,n,i,t)),u=l.map(e=>[e.loss()]),d=0;for(let e=1;e<o.length;e++)l.forEach((e,t)=>{for(let t=0;t<a;t++)e.step(r);u[t].push(e.loss())}),d+=a*5,!(d<s)&&(d=0,yield{steps:o.slice(0,e+1),losses:u.map(e=>[...e]),sweep:[]});let f={steps:o,losses:u,shares:ei(l)},p=[];yield{...f,sweep:[]};for(let e of Xr){let t=Array.from({length:3},(t,a)=>{let s=se.random(xe(e),n,i,a),c=[s.loss()],l=o.at(-1);for(let e=0;e<l&&c[e]>Q;e++)s.step(r),c.push(s.loss());return D(Array.from(c.keys()),c,Q)});p.push(t.reduce((e,t)=>e+t,0)/3),yield{...f,sweep:[...p]}}}function ei(e){let t={xor:0,linear:0};for(let n of e){let r=n.sizes(),i=r.reduce((e,t)=>e+t,0);r.forEach((r,a)=>{let o=n.activity.subarray(4*a,4*a+4),s=Math.max(...o),c=Array.from(o,e=>+(e>.1*s)).join(``),l=r/i/e.length;c===`0110`||c===`1001`?t.linear+=l:c.replaceAll(`0`,``)===`1`&&(t.xor+=l)})}return t}let ti=e=>Number.isFinite(e)?`${Math.round(e)}`:`never`,ni=e=>Number.isFinite(e)?e.toFixed(1):`never`;function ri(e){let t=e.reduce((e,t)=>e+t,0)/e.length;return[t,Math.sqrt(e.reduce((e,n)=>e+(n-t)**2,0)/e.length)]}function ii(e){let{delta:t}=Zr(e),n=new m(8);[[1,1],[4,1],[1,4],[4,4]].forEach(([e,t],r)=>n.node({x:e,y:t+1.2,shape:`square`,colour:+(r===1||r===2)})),n.word(2.5,.8,`XOR in two inputs`),n.word(2.5,6.8,`third input ±Δ = ${t.toFixed(2)}`);let r=n.column(9,h(3),`inputs`),i=n.column(13,h(5),`ReLU units`),a=n.column(17,h(1),`output`);return n.join(r,i,()=>({weight:.8})),n.join(i,a,()=>({weight:.8})),n.done(`Four points of two classes (blue and vermilion) form XOR in two inputs and are separable, with margin 2Δ, in a third. A ReLU network with one hidden layer learns the classes.`)}let ai={id:`race`,title:`Gates`,question:`When does a ReLU network switch from linear to XOR gating?`,paper:{text:`Jarvis, Klein, Rosman and Saxe 2025, section 3`,href:`https://arxiv.org/abs/2503.06181`},terms:[`relu`,`gating`,`xor`,`singular`,`loss`,`area`],theory:{text:`Four points form XOR in two inputs and are linearly separable, with margin 2Δ, in a third. Two gatings compete: two pathways by the sign of the target (linear), or one pathway per data point (XOR). Each pathway is a linear network with one mode, solved in closed form. For n units with random weights its initial strength is nσ²/2. It grows at the rate of its singular value s; a finite step η slows it slightly. Nothing is fitted.`,equations:[`a(t) = frac{s / d}{1 − (1 − frac{s}{d a_{0}}) e^{−2 s t}},  t = \"steps\" · frac{ln(1 + η s)}{s},  a_{0} = frac{n σ^{2}}{2}`,`\"linear:\"  s = frac{Δ}{2},  d = frac{Δ^{2}}{2},  n = frac{N}{2},  L = frac{1}{2} − Δ a + frac{1}{2} Δ^{2} a^{2}`,`\"XOR:\"  s = frac{sqrt{2 + Δ^{2}}}{4},  d = frac{2 + Δ^{2}}{4},  n = frac{N}{4},  L = frac{1}{2} − 4 s a + 2 d a^{2}`,`\"the winner changes where both s are equal:\"  Δ = sqrt{2/3}`]},controls:[{kind:`slider`,id:`delta`,label:`Margin Δ`,help:`How far apart the classes are in the third input; at 0 the task is XOR.`,min:0,max:3,step:.05,value:.5,format:e=>e.toFixed(2)},{kind:`slider`,id:`scale`,label:`Initial scale σ√N`,help:`Standard deviation σ of the initial weights times √N, for N hidden units; 2×10⁻⁴ in the paper.`,min:1e-6,max:1,step:.1,value:2e-4,log:!0},{kind:`slider`,id:`units`,label:`Hidden units N`,help:`Width of the ReLU networks; 128 in the paper. Both gatings divide these units among their pathways.`,min:8,max:512,step:8,value:128},{kind:`slider`,id:`rate`,label:`Step size η`,help:`Step of gradient descent on the mean loss; 0.4 in the paper.`,min:.05,max:.6,step:.05,value:.4,format:e=>e.toFixed(2)},p(e=>`${Math.round(100*e)} %`)],schematic:ii,ask:{prompt:`Four points can be separated by a line, with a small margin, or point by point, as XOR. Which solution will a ReLU network with small initial weights find at margin Δ = 0.5?`,options:[`Draw the line: it is the simpler solution`,`Learn point by point: it is the faster solution`],right:e=>{let{delta:t,units:n,std:r,rate:i}=Zr(e),[a,o]=[Ur(t),Wr(t)].map(e=>Yr(e,Q,i,qr(e,n,r)));return a<o?0:1},because:`Pathways compete. The one with the larger singular value grows faster and learns the task, whether or not it is simpler. Below Δ = √(2/3) that is XOR.`},view(e,t){let n=Zr(e),{delta:r,units:i,rate:a,std:o,last:s}=n,c=Qr(n),[u,d]=[Ur(r),Wr(r)].map(e=>{let t=qr(e,i,o),n=Yr(e,Q,a,t);return{s:e.s,time:n,loss:c.map(n=>Jr(e,n,a,t))}}),f=t?.losses.map(e=>D(t.steps,e,Q))??[],p=f.length>0&&f.every(Number.isFinite),[m,h]=p?ri(f):[NaN,NaN],g=t?.shares&&t.steps.map((e,n)=>t.losses.reduce((e,t)=>e+t[n],0)/t.losses.length),_=g&&O(t.steps,u.time<d.time?u.loss:d.loss,g),v=s*l(e,`moment`),y=(t?.losses??[]).map((e,n)=>({label:n?`ReLU network, seed ${n}`:`ReLU networks, ${i} units`,x:t.steps,y:e,colour:6,role:`trained`,among:5,quiet:n>0})),b=Array.from({length:121},(e,t)=>t*3/120),x=e=>b.map(t=>{let n=e(t),r=Yr(n,Q,a,qr(n,i,o));return r<=2*s?r:NaN});return{sentence:oi(n,u.time,d.time,p?[m,h]:void 0,t?.shares,_),numbers:[{id:`steps_linear`,label:`linear gating, steps to loss ${Q}`,value:u.time,format:ni},{id:`steps_xor`,label:`XOR gating, steps to loss ${Q}`,value:d.time,format:ni},...p?[{id:`steps_relu`,label:`ReLU networks, mean of 5`,value:m,format:ni}]:[],{id:`s_linear`,label:`singular value, linear`,value:u.s},{id:`s_xor`,label:`singular value, XOR`,value:d.s},{id:`crossover`,label:`crossover Δ`,value:Hr},..._===void 0?[]:[{id:`area`,label:`area between the faster gating and the networks (∫|ΔL|/∫L)`,value:_}]],charts:[{kind:`lines`,id:`loss`,title:`Loss at Δ = ${r.toFixed(2)}`,x:{label:`gradient steps`,values:c,range:[0,s]},y:{label:`loss`},moment:v,lines:[...y,{label:`linear gating, predicted`,y:u.loss,colour:0},{label:`XOR gating, predicted`,y:d.loss,colour:1,dash:`dash`}],marks:[{axis:`y`,at:Q,label:`learned`,side:`left`}]},{kind:`lines`,id:`time`,title:`Learning time by margin`,x:{label:`margin Δ`,values:b,range:[0,3]},y:{label:`steps to loss ${Q}`},lines:[...t?.sweep.length?[{label:`ReLU networks, mean of 3`,x:Xr.slice(0,t.sweep.length),y:t.sweep,colour:6,role:`trained`}]:[],{label:`linear gating`,y:x(Ur),colour:0},{label:`XOR gating`,y:x(Wr),colour:1,dash:`dash`}],marks:[{axis:`x`,at:Hr,label:`√(2/3)`},{axis:`x`,at:r,label:`Δ`,colour:2}]}]}},live:{label:`Train ${y[5]} ReLU networks`,key:e=>[`delta`,`scale`,`units`,`rate`].map(t=>e[t]).join(),run:$r},python(e){let{delta:t,units:n,rate:r}=Zr(e);return[`import numpy as np`,`import festina as fs`,``,`task = fs.tasks.extended_xor(${t})`,`std, units, rate = ${l(e,`scale`)} / np.sqrt(${n}), ${n}, ${r}`,`sign = task.y[:, 0]`,`gatings = {\"linear\": np.array([sign > 0, sign < 0]), \"xor\": np.eye(4)}`,`numbers = {\"crossover\": float(np.sqrt(2 / 3))}`,`for name, gates in gatings.items():`,`    network = fs.gated.pathways(gates, 1, initial=fs.initial.Gaussian(std))`,`    own = task.statistics(network).effective[0]`,`    s, d = (own.strengths[0], own.curvatures[0]) if own.rank else (0.0, 0.0)`,`    start = units // len(gates) * std**2 / 2`,`    end = s / d * (1 - np.sqrt(2 * ${Q})) if s else np.inf`,`    time = fs.linear.time_to_strength(max(end, start), s, d, start) if s else np.inf`,`    numbers[f\"s_{name}\"] = float(s)`,`    numbers[f\"steps_{name}\"] = float(time * s / np.log1p(rate * s)) if s else np.inf`].join(`\n`)}};function oi({delta:e,rate:t},n,r,i,a,o){let s=Math.min(n,r),c=Math.max(n,r),[l,u]=n<r?[`linear`,`XOR`]:[`XOR`,`linear`],d=e<Hr?`below`:`above`,f=c-s<.5?`At Δ = ${e.toFixed(2)} both gatings learn in ${ti(s)} steps`:`At Δ = ${e.toFixed(2)}, ${d} the crossover √(2/3) ≈ 0.82, the ${l} gating wins: it learns in ${ti(s)} steps, the ${u} one ${Number.isFinite(c)?`in ${ti(c)}`:`never`}`,p=`networks with weights this large start in the middle of learning, while the prediction starts pathways at their mean strength`;if(!i)return`${f}${a?`; the ReLU networks have not learned in the time shown`:``}.${b(o,`The trained ReLU networks`,p,!0)}`;let[m,h]=i,_=m-s,v=o===void 0||o<=.1,y=Math.abs(_)*t<=.8&&v?`as predicted`:`${Math.abs(_).toFixed(1)} ${_>0?`later`:`earlier`} than predicted`,x=`${f}; the trained ReLU networks take ${m.toFixed(1)} ± ${h.toFixed(1)}, ${y}`;if(!a)return`${x}.`;let[S,C]=a.xor>a.linear?[a.xor,`respond to one point only`]:[a.linear,`respond to both points of one sign`];return`${x}; units that ${C} carry ${g(S)} of their map.${v?``:b(o,`Their loss`,p)}`}function si(e,t){let n=[],[r,i]=[``,!1];for(let a of e)a===`\"`?i=!i:a===t&&!i?(n.push(r.trim()),r=``):r+=a;return[...n,r.trim()]}let ci=e=>e!==``&&Number.isFinite(Number(e));function li(e){let t=e.split(/\\r\\n|\\n|\\r/).filter(e=>e.trim()!==``);if(t.length<4)return`The table needs at least four lines: one per data point, and columns separated by commas, semicolons or tabs.`;let n=[`	`,`;`,`,`].find(e=>t[0].includes(e));if(n===void 0)return`The first line has a single column; separate columns by commas, semicolons or tabs.`;let r=t.map(e=>si(e,n)),i=r[0].length,a=r.findIndex(e=>e.length!==i);if(a>=0)return`Line ${a+1} has ${r[a].length} cells, the first line has ${i}.`;let o=r[0].every(e=>!ci(e)),s=o?r[0]:r[0].map((e,t)=>`column ${t+1}`);o&&(r=r.slice(1));let c=r.every(e=>!ci(e[0]));c&&(r=r.map(e=>e.slice(1)));let l=c?s.slice(1):s;if(l.length<2)return`The table needs at least two columns of numbers: an input and a target.`;if(l.length>24)return`The table has ${l.length} columns of numbers; up to 24 can be shown here.`;if(r.length>500)return`The table has ${r.length} data points; up to 500 can be trained on here.`;for(let[e,t]of r.entries())for(let[n,r]of t.entries())if(!ci(r))return`Data point ${e+1}, column “${l[n]}”: “${r.slice(0,20)}” is not a number.`;let u=r.map(e=>e.map(Number)),d=l.findIndex((e,t)=>u.every(e=>e[t]===u[0][t]));return d>=0?`Column “${l[d]}” has the same value in every data point; leave it out.`:{names:l,rows:u}}function ui(e){let t=F(e.length,e[0].length);for(let n=0;n<t.columns;n++){let r=e.reduce((e,t)=>e+t[n],0)/e.length,i=Math.sqrt(e.reduce((e,t)=>e+(t[n]-r)**2,0)/e.length);e.forEach((e,a)=>t.data[a*t.columns+n]=(e[n]-r)/i)}return t}function di({rows:e},t,n){let r=e.length,i=ui(e.map(e=>e.slice(0,-t))),a=ui(e.map(e=>e.slice(-t))),{values:o,vectors:s}=Mt(H(B(i,i),1/r)),c=Array.from(o.keys()).filter(e=>o[e]>1e-9*o[0]),l=F(i.columns,c.length);c.forEach((e,t)=>{for(let r=0;r<i.columns;r++)l.data[r*c.length+t]=s.data[r*s.columns+e]/(n?Math.sqrt(o[e]):1)});let u=z(i,l),d=H(B(u,u),1/r),f=H(B(a,u),1/r),p=Pt(f),m=p.values.filter(e=>e>1e-9*p.values[0]).length,h=Array.from(p.values.slice(0,m)),g=z(d,p.right),_=h.map((e,t)=>{let n=0;for(let e=0;e<d.rows;e++)n+=p.right.data[e*p.right.columns+t]*g.data[e*g.columns+t];return n}),v=H(B(i,z(u,p.right)),1/r),y=h.map((e,t)=>Array.from({length:i.columns},(e,n)=>v.data[n*v.columns+t]/Math.sqrt(_[t]))),b=a.data.reduce((e,t)=>e+t*t,0)/r,x=0;for(let e=0;e<f.rows;e++)for(let t=0;t<f.columns;t++)x+=f.data[e*f.columns+t]**2/d.data[t*d.columns+t];let S=e=>({rows:e.rows,columns:m,data:Float64Array.from({length:e.rows*m},(t,n)=>e.data[Math.floor(n/m)*e.columns+n%m])});return{inputs:d,cross:f,power:b,s:h,d:_,left:S(p.left),right:S(p.right),reads:y,least:.5*Math.max(0,b-x)}}var fi=class{inputs;cross;power;first;second;map;miss;seen;up;down;constructor(e,t,n,r,i){this.inputs=n,this.cross=r,this.power=i,[this.first,this.second]=[L(e),L(t)],this.map=F(r.rows,r.columns),this.miss=F(r.rows,r.columns),this.seen=F(r.rows,r.columns),this.up=F(t.rows,t.columns),this.down=F(e.rows,e.columns),this.refresh()}refresh(){z(this.second,this.first,this.map),z(this.map,this.inputs,this.seen);for(let e=0;e<this.miss.data.length;e++)this.miss.data[e]=this.cross.data[e]-this.seen.data[e]}get loss(){return .5*(this.power-2*U(this.map,this.cross)+U(this.map,this.seen))}step(e){B(this.second,this.miss,this.down),V(this.miss,this.first,this.up);for(let t=0;t<this.first.data.length;t++)this.first.data[t]+=e*this.down.data[t];for(let t=0;t<this.second.data.length;t++)this.second.data[t]+=e*this.up.data[t];this.refresh()}};let pi=e=>[`table`,`targets`,`inputs`,`start`,`weights`].map(t=>e[t]).join(`\n`),mi;function $(e){let t=pi(e);if(mi?.key!==t){let n=li(u(e,`table`));if(typeof n==`string`)throw Error(n);let r=u(e,`inputs`)===`white`,i=di(n,l(e,`targets`),r),a=l(e,`start`)*i.s[0]/i.d[0],o=i.s.slice(0,6).filter(e=>e>.02*i.s[0]),s=f(Math.max(...o.map((e,t)=>j(.98*e/i.d[t],{s:e,d:i.d[t]},Math.min(a,.5*e/i.d[t]),2))));mi={key:t,setting:{table:n,task:i,start:a,white:r,times:Array.from({length:201},(e,t)=>s*t/200)}}}return mi.setting}function hi({task:e,start:t},n){return e.s.map((r,i)=>ze(n,{s:r,d:e.d[i]},t,2))}function gi({task:e},t,n){return t.reduce((t,r,i)=>t-e.s[i]*r[n]+.5*e.d[i]*r[n]**2,.5*e.power)}function*_i(e){let t=$(e),{task:r,start:i,times:a}=t,o=a[a.length-1],[s,c,l]=[r.cross.columns,r.cross.rows,r.s.length],d=Math.max(s,c),f=n(11),p=Math.sqrt(2*i/d),[m,h]=u(e,`weights`)===`random`?[J(d,s,p,f),J(c,d,p,f)]:cn(r.right,r.left,Math.max(d,l),2,i,f),g=new fi(m,h,r.inputs,r.cross,r.power),_=2*Math.max(...Array.from({length:s},(e,t)=>r.inputs.data[t*s+t]))*Math.max(...r.s.map((e,t)=>e/r.d[t])),v=Math.min(Math.max(.05/_,Math.min(o/6e4,.5/_)),o/600),y=Math.ceil(o/v),b={times:[],loss:[],strengths:r.s.map(()=>[]),expected:[]},x=e=>{b.times.push(e*v),b.loss.push(g.loss),un(g.map,r.left,r.right).forEach((e,t)=>b.strengths[t].push(e)),b.expected.push(gi(t,hi(t,[e*v]),0))},S=4*d*s*c+c*s*s,[C,w]=[0,0];for(let e=0;e<=y;e++)(e>=w||e===y)&&(x(e),w=Math.max(e+1,Math.round(b.times.length*y/159))),e<y&&g.step(v),C+=S,C>6e6&&(C=0,yield{...b});yield{...b}}let vi=`garden,sun,rain,soil,height,leaves,flowers\nA,8.1,3.2,6.1,41,18,9\nB,7.4,4.1,5.2,38,20,8\nC,3.0,7.7,6.6,30,31,2\nD,5.2,5.9,3.1,27,22,4\nE,9.0,2.1,4.4,36,12,10\nF,2.1,8.4,5.0,22,33,1\nG,6.6,5.0,7.3,45,27,7\nH,4.4,6.8,2.2,20,23,3\nI,7.9,3.9,3.0,30,15,8\nJ,3.7,7.1,7.9,38,34,3\nK,5.9,4.6,4.8,33,21,6\nL,8.6,2.8,7.0,46,19,10\n`;function yi(e,t){let n=$(e),{table:r,task:i,times:a,start:o}=n,s=l(e,`targets`),[c,u]=[r.names.slice(0,-s),r.names.slice(-s)],d=hi(n,a),f=a.map((e,t)=>gi(n,d,t)),p=Math.round(l(e,`moment`)*200),m=a[p],h={label:`flow time`,values:a,range:[0,a[200]]},g=i.s.slice(0,6),v=g.map((e,t)=>j(.5*e/i.d[t],{s:e,d:i.d[t]},Math.min(o,.5*e/i.d[t]),2)),y=t&&t.times.length>2?t:void 0,b=y&&O(y.times,y.expected,y.loss),x=e=>`mode ${e+1}`,S=g.map((e,t)=>u.map((e,n)=>i.left.data[n*i.left.columns+t])),C=e=>`${x(e)}: ${bi(c[xi(i.reads[e])])} → ${bi(u[xi(S[e])])}`,w=1-i.least/(.5*i.power),T=[{id:`points`,label:`data points`,value:r.rows.length},{id:`s_first`,label:`strongest mode, singular value`,value:i.s[0]},{id:`first`,label:`strongest mode half learned`,value:v[0],unit:`flow time`},{id:`least`,label:`lowest loss of a linear map`,value:i.least},{id:`loss`,label:`predicted loss at this time`,value:f[p]},...b===void 0?[]:[{id:`area`,label:`area between prediction and network (∫|ΔL|/∫L)`,value:b}]],E=(e,t,n,r,i)=>({kind:`heat`,id:e,title:t,label:i,matrix:n,rows:g.map((e,t)=>x(t)),columns:r,bound:1});return{sentence:Si(e,v,w,b),numbers:T,charts:[{kind:`lines`,id:`loss`,title:`Loss`,wide:!0,x:h,y:{label:`loss`},moment:m,lines:[...y?[{label:`trained network`,x:y.times,y:y.loss,colour:6,role:`trained`}]:[],{label:`prediction`,y:f,colour:6}],marks:[{axis:`y`,at:i.least,label:`lowest possible`,side:`left`}]},{kind:`lines`,id:`strengths`,title:`Strength of each mode`,wide:!0,x:h,y:{label:`strength a`},moment:m,lines:[...y?g.map((e,t)=>({label:`trained network`,x:y.times,y:y.strengths[t],colour:7+t,role:`trained`,quiet:!0})):[],...g.map((e,t)=>({label:`${C(t)} (s = ${_(e)})`,y:d[t],colour:7+t}))]},E(`reads`,`Which inputs each mode reads`,i.reads.slice(0,6),c,`correlation`),E(`writes`,`Which outputs each mode drives`,S,u,`entry of u`)]}}let bi=e=>e.length>9?`${e.slice(0,8)}…`:e,xi=e=>e.reduce((t,n,r)=>Math.abs(n)>Math.abs(e[t])?r:t,0);function Si(e,t,n,r){let{task:i,white:a,table:o,times:s}=$(e),c=i.s.length===1?`one mode`:`${y[i.s.length]??i.s.length} modes`,[l,d]=[t[t.length-1],s[200]],f=l>d?`, long after the end of the charts at ${_(d)}`:``,p=t.length>1?`; the strongest is half learned at t = ${_(t[0])}, ${t.length>2?`the weakest shown`:`the other`} at ${_(l)}${f}`:`, half learned at t = ${_(t[0])}`,m=u(e,`weights`)===`random`?`random weights must first align with the modes`:a?`the training step is not small`:`these inputs are correlated, so modes affect each other, while the theory treats them as independent (whiten the inputs to see the difference)`;return`This table of ${o.rows.length} data points has ${c}${p}; the best linear map explains ${g(n)} of the targets' variance.${b(r,`The trained network`,m)}`}function Ci(e){let{table:t,task:n}=$(e),r=l(e,`targets`),[i,a]=[t.names.slice(0,-r),t.names.slice(-r)],o=new m(8),s=e=>e.slice(0,7).map(bi),c=o.column(5,s(i),`inputs`,()=>({side:`left`})),u=o.column(9,h(Math.min(6,Math.max(n.cross.columns,n.cross.rows))),`hidden units`),d=o.column(13,s(a),`targets`,()=>({side:`right`}));return o.join(c,u,()=>({weight:.8})),o.join(u,d,()=>({weight:.8})),o.done(`A linear network of two layers learns your ${a.length===1?`target column`:`${a.length} target columns`} from ${i.length===1?`one input column`:`${i.length} input columns`}.`)}let wi=[lr,gn,ai,Ie,Vr,Tt,oe,{id:`your_data`,title:`Your data`,question:`What would a network learn first from your own table?`,paper:{text:`Saxe, McClelland & Ganguli 2014, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks`,href:`https://arxiv.org/abs/1312.6120`},terms:[`mode`,`strength`,`singular`,`white`,`loss`,`flow`,`area`],theory:{text:`Columns are centred and divided by their standard deviation. The correlation of targets with inputs is a sum of modes. From small weights each mode grows independently, and strong modes grow first. This is exact if the inputs are whitened: uncorrelated and of equal variance. For other inputs the curvature of a mode is the variance of the inputs along it, which is an approximation. Your table stays in this page: it is not sent anywhere, and links do not contain it.`,equations:[`Σ_{yx} = U S V^{T},  d = v^{T} Σ_{x} v`,`a(t) = frac{s / d}{1 − (1 − frac{s}{d a_{0}}) e^{−2 s t}},  L = frac{1}{2} ⟨y^{2}⟩ − Σ ( s a − frac{1}{2} d a^{2} )`]},controls(e){let t=li(typeof e.table==`string`?e.table:vi),n=typeof t==`string`?2:t.names.length;return[{kind:`text`,id:`table`,label:`Your table (CSV)`,value:vi,help:`Paste a table or open a file: one data point per line, with the targets in the last columns. Names in the first line and first column are optional. The table stays on your computer.`,refuse:e=>{let t=li(e);return typeof t==`string`?t:void 0}},{kind:`slider`,id:`targets`,label:`Target columns`,min:1,max:Math.max(2,n-1),step:1,value:Math.min(3,Math.floor(n/2)),help:`Number of last columns that the network learns from the others.`},{kind:`choice`,id:`inputs`,label:`Inputs`,value:`white`,options:[{value:`white`,label:`whitened`},{value:`standard`,label:`standardised`}],help:`Whitened inputs are uncorrelated and have equal variance, as the theory assumes; standardised inputs keep their correlations.`},{kind:`slider`,id:`start`,label:`Initial strength`,min:1e-5,max:.2,step:.05,value:.001,log:!0,help:`Strength of every mode at time 0, as a fraction of the final strength of the strongest mode.`},{kind:`choice`,id:`weights`,label:`Initial weights of the trained network`,value:`aligned`,options:[{value:`aligned`,label:`aligned`},{value:`random`,label:`random`}],help:`The prediction assumes weights that are aligned with the modes.`},p(e=>`${Math.round(100*e)} %`)]},schematic:Ci,view:yi,live:{label:`Train a linear network`,key:pi,run:_i},python:e=>{let{table:t,times:n,white:r}=$(e),i=l(e,`targets`),a=Math.round(l(e,`moment`)*200);return[`import numpy as np`,``,`import festina as fs`,``,`table = np.array(${JSON.stringify(t.rows)})`,`table = (table - table.mean(axis=0)) / table.std(axis=0)`,`x, y = table[:, :-${i}], table[:, -${i}:]`,...r?[`variances, axes = np.linalg.eigh(x.T @ x / len(x))`,`kept = variances > 1e-9 * variances.max()`,`x = x @ axes[:, kept] / np.sqrt(variances[kept])`]:[],`task = fs.Task(x, y)`,`s, d = task.statistics.strengths, task.statistics.curvatures`,`start = ${v(l(e,`start`))} * s[0] / d[0]`,`a = fs.linear.strength(${v(n[a])}, s, d, start, 2)`,`numbers = {`,`    \"points\": len(table),`,`    \"s_first\": float(s[0]),`,`    \"first\": float(fs.linear.time_to_strength(0.5 * s[0] / d[0], s[0], d[0], start, 2)),`,`    \"least\": float(task.statistics.floor),`,`    \"loss\": float(0.5 * task.statistics.power - sum(s * a - 0.5 * d * a**2)),`,`}`].join(`\n`)}}];self.addEventListener(`message`,e=>{let t=wi.find(({id:t})=>t===e.data.id);for(let n of t?.live?.run(e.data.state)??[])self.postMessage({snapshot:n});self.postMessage({done:!0})})})();", Za = typeof self < "u" && self.Blob && new Blob(["(self.URL || self.webkitURL).revokeObjectURL(self.location.href);", Xa], { type: "text/javascript;charset=utf-8" });
function Qa(e) {
	let t;
	try {
		if (t = Za && (self.URL || self.webkitURL).createObjectURL(Za), !t) throw "";
		let n = new Worker(t, { name: e?.name });
		return n.addEventListener("error", () => {
			(self.URL || self.webkitURL).revokeObjectURL(t);
		}), n;
	} catch {
		return new Worker("data:text/javascript;charset=utf-8," + encodeURIComponent(Xa), { name: e?.name });
	}
}
//#endregion
//#region src/live.ts
function $a(e, t, n, r) {
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
		let o = new Qa();
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
//#region src/math.ts
var eo = /\s{2,}|\s|"[^"]*"|frac|sqrt|Tr|ln|high|low|dx|dy|yx|\d+(?:\.\d+)?|[_^{}]|./gu, to = /^\p{L}$/u, no = /* @__PURE__ */ new Set([
	"Tr",
	"dx",
	"dy"
]), ro = /* @__PURE__ */ new Set(["Σ"]);
function io(e) {
	return e.replace(/[&<>"]/g, (e) => `&#${e.charCodeAt(0)};`);
}
var ao = class {
	tokens;
	at = 0;
	constructor(e) {
		this.tokens = e.match(eo) ?? [];
	}
	row() {
		let e = "";
		for (; this.at < this.tokens.length && this.tokens[this.at] !== "}";) e += this.scripted();
		return e;
	}
	group() {
		if (this.tokens[this.at] !== "{") return this.atom();
		this.at++;
		let e = this.row();
		if (this.tokens[this.at++] !== "}") throw Error(`an equation has an open brace: ${this.tokens.join("")}`);
		return `<mrow>${e}</mrow>`;
	}
	scripted() {
		let e = this.atom(), [t, n] = ["", ""];
		for (; this.tokens[this.at] === "_" || this.tokens[this.at] === "^";) this.tokens[this.at++] === "_" ? t = this.group() : n = this.group();
		return t && n ? `<msubsup>${e}${t}${n}</msubsup>` : t ? `<msub>${e}${t}</msub>` : n ? `<msup>${e}${n}</msup>` : e;
	}
	atom() {
		let e = this.tokens[this.at++] ?? "";
		return e === "frac" ? `<mfrac>${this.group()}${this.group()}</mfrac>` : e === "sqrt" ? `<msqrt>${this.group()}</msqrt>` : e === "{" ? (this.at--, this.group()) : /^\s{2,}$/.test(e) ? "<mspace width=\"1.6em\"/>" : /^\s$/.test(e) ? "" : e.startsWith("\"") ? `<mtext>\u00a0${io(e.slice(1, -1))}\u00a0</mtext>` : /^\d/.test(e) ? `<mn>${e}</mn>` : e.length > 1 ? `<mrow><mi>${io(e)}</mi>${no.has(e) ? "<mspace width=\"0.17em\"/>" : ""}</mrow>` : to.test(e) && !ro.has(e) ? `<mi>${e}</mi>` : `<mo>${io(e)}</mo>`;
	}
};
function oo(e) {
	return `<math display="block"><mrow>${new ao(e).row()}</mrow></math>`;
}
//#endregion
//#region src/topics/glossary.ts
var so = {
	mode: "One of the independent parts of a task: a pattern over the inputs that predicts a pattern over the outputs, such as “animals move, plants have roots”. Also called a singular mode.",
	strength: "How much of a mode the network has learned: near 0 at the start; at the end, the value that fits the data.",
	singular: "The size s of a mode in the data: how strongly its two patterns are correlated. Modes with large singular values are learned first.",
	loss: "The error of the network: half the squared error, averaged over the data.",
	flow: "The time of learning: the number of gradient-descent steps times the step size.",
	area: "How far the prediction is from the trained network: the area between the two loss curves, as a fraction of the area below the network's curve. Below 5 % you cannot see the difference.",
	rich: "Rich learning builds new features; lazy learning keeps the random initial features and only combines them.",
	kernel: "The tangent kernel says how a learning step on one example changes the answer to another. It stays constant in lazy learning and turns in rich learning.",
	balance: "Two layers are balanced (λ = 0) if they are equally strong; λ is the difference between their squared weights.",
	relu: "A unit that passes on positive input and is silent otherwise. Its gating is the set of inputs for which it is active.",
	gating: "Which units are active for which inputs. For a given gating the network is linear, so its learning can be predicted.",
	pathway: "The units that are active for the same inputs: a linear network within the network. Pathways compete for the task, and the fastest one learns it.",
	xor: "Exclusive or: the answer is yes if exactly one of two inputs is on. No linear network can learn it.",
	context: "A part of the input that says which question is asked about an item. The same item can have different answers in different contexts.",
	representation: "The activity of the hidden units for one input. Inputs with similar activity are treated alike.",
	encoder: "The layers before the representation; the layers after it are the decoder.",
	saddle: "A point at which learning almost stops although the task is not yet learned. Networks with small initial weights stay near one for a while.",
	attention: "A layer that compares a query with every example of a sequence and answers with a weighted mixture of the examples.",
	component: "A direction in which the inputs vary, uncorrelated with the others; the first ones vary most.",
	wave: "A pattern that rises and falls a whole number of times around the clock; also called a Fourier component.",
	unit: "A hidden unit with its input and output weights.",
	white: "Inputs are whitened by a linear change of coordinates, after which all directions have the same variance and no two are correlated."
}, co = {
	singular: "singular value",
	flow: "flow time",
	area: "area between the curves",
	rich: "rich and lazy",
	kernel: "tangent kernel",
	balance: "balanced",
	relu: "ReLU unit",
	xor: "XOR",
	component: "principal component",
	white: "whitened"
}, lo = (e) => co[e] ?? e, uo = 350, fo = 5e3, po = [
	"ask",
	"sealed",
	"training",
	"why",
	"play"
], mo = class {
	topic;
	state;
	look;
	hooks;
	live;
	root = X("section", { class: "topic" });
	controls = new La((e) => this.change(e), (e) => this.root.classList.toggle("stale", e));
	sentence = X("p", {
		class: "sentence",
		"aria-live": "polite"
	});
	numbers = X("dl", { class: "numbers" });
	charts = X("div", { class: "charts" });
	code = X("code");
	status = X("span", {
		class: "status",
		"aria-hidden": "true"
	});
	switch;
	player;
	drawing = X("div", { class: "drawing" });
	caption = X("figcaption");
	asked = X("section", {
		class: "ask",
		"aria-label": "A question first"
	});
	side = X("div", { class: "side" });
	step = "play";
	chosen;
	sealed = "";
	presenting = !1;
	at = 0;
	playing;
	figures = /* @__PURE__ */ new Map();
	observer = new ResizeObserver(() => {
		this.figures.forEach((e) => e.fit()), this.hold();
	});
	drawn = "";
	snapshot;
	training = "off";
	key;
	stop = () => {};
	pause;
	frame;
	shown;
	constructor(e, t, n, r, i, a = !1) {
		this.topic = e, this.state = t, this.look = n, this.hooks = r, this.live = i;
		let o = X("div", { class: "panel" }, this.controls.root);
		Oa(e, t).some(({ id: e }) => e === "moment") && (this.player = X("button", {
			type: "button",
			class: "play"
		}, "▶ Play"), this.player.addEventListener("click", () => this.playing === void 0 ? this.play() : this.pauseAt()), o.append(this.player)), e.live && (this.switch = X("button", {
			type: "button",
			class: "train",
			"data-control": "live"
		}, X("span", { class: "lamp" }), e.live.label, this.status), this.switch.addEventListener("click", () => {
			this.train(!this.live), this.hooks.switched?.(this.live);
		}), o.append(this.switch));
		let s = X("header", {}, X("h2", {}, e.question));
		this.side.append(o, this.numbers);
		let c = X("div", { class: "scene" }, X("figure", { class: "schematic" }, this.drawing, this.caption), X("div", { class: "said" }, this.asked, this.sentence));
		this.root.append(s, this.side, X("div", { class: "seen" }, c, this.charts, go(e, this.code))), this.observer.observe(this.charts), this.observer.observe(this.side), this.asked.tabIndex = -1, a && e.ask && (this.step = "ask"), this.enter();
	}
	play() {
		if (!this.player) return;
		this.pauseAt();
		let e = performance.now(), t = (n) => {
			let r = Math.min(1, Math.max(0, (n - e) / fo));
			this.state = {
				...this.state,
				moment: Math.round(100 * r) / 100
			}, this.playing = r < 1 ? requestAnimationFrame(t) : void 0, this.showPlayer(), this.paint();
		};
		this.playing = requestAnimationFrame(t), this.showPlayer();
	}
	pauseAt() {
		this.playing !== void 0 && cancelAnimationFrame(this.playing), this.playing = void 0, this.showPlayer(), this.schedule();
	}
	showPlayer() {
		this.player && (this.player.textContent = this.playing === void 0 ? "▶ Play" : "❚❚ Pause");
	}
	next() {
		let e = po[po.indexOf(this.step) + 1];
		return e ? (this.go(e === "sealed" && this.training === "impossible" ? "play" : e), !0) : this.turn(1);
	}
	back() {
		if (this.step === "play" && this.turn(-1)) return !0;
		let e = po[po.indexOf(this.step) - 1];
		return !e || !this.topic.ask ? !1 : (this.go(e), !0);
	}
	present(e) {
		this.presenting = e, this.at = 0, this.schedule();
	}
	turn(e) {
		let t = this.at + e;
		return !this.presenting || t < 0 || t >= this.figures.size ? !1 : (this.at = t, this.schedule(), !0);
	}
	go(e) {
		let t = this.asked.contains(document.activeElement);
		this.step = e, e === "sealed" && (this.sealed = (/* @__PURE__ */ new Date()).toLocaleTimeString("en-GB")), this.enter(), e === "play" && this.open(), t && ((e === "play" ? this.controls.root.querySelector("input, button, textarea") : null) ?? this.asked).focus({ preventScroll: !0 });
	}
	enter() {
		this.root.dataset.step = this.step, this.asked.hidden = this.step === "play" && this.chosen === void 0, this.step === "play" && this.hooks.answered?.(), this.follow(), this.paint();
	}
	tell() {
		let { ask: e } = this.topic;
		if (!e || this.asked.hidden) return;
		let t = JSON.stringify([
			this.step,
			this.chosen,
			this.step === "ask" ? 0 : this.state,
			this.training
		]);
		if (this.asked.dataset.form === t) return;
		this.asked.dataset.form = t;
		let n = (e, t, n = "go") => {
			let r = X("button", {
				type: "button",
				class: n
			}, e);
			return r.addEventListener("click", t), r;
		};
		if (this.step === "ask") {
			let t = e.options.map((e, t) => n(e, () => {
				this.chosen = t, this.next();
			}, "option"));
			this.asked.replaceChildren(X("p", { class: "prompt" }, X("strong", {}, "First, a guess. "), e.prompt), X("div", { class: "options" }, ...t, n("Show me everything", () => this.go("play"), "skip")));
			return;
		}
		let r = {
			sealed: `Thin lines are predictions. They were sealed at ${this.sealed}; no network has been trained yet.`,
			training: `A network is training now. Wide bands are the network. ${this.topic.live?.fitted ?? `Thin lines were sealed at ${this.sealed}.`}`,
			why: "",
			play: ""
		}, i = {
			sealed: [n(this.topic.live?.label ?? "Go on", () => this.next())],
			training: [n("Why?", () => this.next())],
			why: [n("Play with the settings", () => this.next())],
			play: []
		}, a = this.asked.contains(document.activeElement);
		this.asked.replaceChildren(X("p", {
			class: "answer",
			role: "status"
		}, ...this.answer(e), r[this.step]), ...i[this.step]), a && (this.asked.querySelector(".go") ?? this.asked).focus({ preventScroll: !0 });
	}
	answer(e) {
		let t = e.right(this.state);
		if (t === void 0) return ["The question does not apply at these settings."];
		let n = this.chosen === void 0 ? "The prediction" : this.chosen === t ? "Yes. The prediction" : "Not this time. The prediction", r = e.right(Na(this.topic, {}).state), i = this.step === "sealed" || this.step === "training" ? "" : t === r ? e.because : `At the initial settings it was “${e.options[r]}”.`;
		return [X("strong", {}, `${n} says: “${e.options[t]}”. `), i];
	}
	open() {
		this.step === "play" && !matchMedia("(prefers-reduced-motion: reduce)").matches && this.play();
	}
	hold() {
		let e = innerHeight - this.side.offsetHeight - 12;
		this.side.style.setProperty("--hold", `${Math.min(12, e)}px`);
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
			training: this.training,
			playing: this.playing !== void 0,
			step: this.step
		};
	}
	close() {
		this.halt(), this.playing !== void 0 && cancelAnimationFrame(this.playing), this.observer.disconnect(), this.frame !== void 0 && cancelAnimationFrame(this.frame);
	}
	change(e) {
		this.playing !== void 0 && this.pauseAt(), this.set(Na(this.topic, {
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
		let t = e.impossible?.(this.state), n = po.indexOf(this.step) >= po.indexOf("training"), r = this.live && n && t === void 0 ? e.key(this.state) : void 0;
		(r === void 0 || r !== this.key) && (this.halt(), this.snapshot = void 0, this.key = r, this.training = t === void 0 ? r === void 0 ? "off" : "waiting" : "impossible", r !== void 0 && (this.pause = setTimeout(() => this.begin(), uo))), this.switch.setAttribute("aria-pressed", String(r !== void 0)), this.switch.disabled = t !== void 0, this.switch.title = t ?? "", this.say();
	}
	begin() {
		this.training = "running", this.say(), this.stop = $a(this.topic, this.state, (e) => {
			this.snapshot = e, this.schedule();
		}, () => {
			this.training = "done", this.say(), this.step === "training" && this.next();
		});
	}
	say() {
		this.status.textContent = {
			off: "off",
			waiting: "…",
			running: "training",
			done: "trained",
			impossible: "not possible"
		}[this.training], this.switch.dataset.training = this.training;
	}
	schedule() {
		this.frame ??= requestAnimationFrame(() => this.paint());
	}
	paint() {
		this.frame !== void 0 && cancelAnimationFrame(this.frame), this.frame = void 0;
		let { topic: e, state: t, look: n } = this;
		this.controls.update(Oa(e, t), t);
		let r = e.view(t, this.snapshot);
		this.shown = {
			topic: e.id,
			state: t,
			sentence: r.sentence,
			numbers: Object.fromEntries(r.numbers.map(({ id: e, value: t }) => [e, t])),
			charts: r.charts,
			training: this.training,
			playing: this.playing !== void 0,
			step: this.step
		}, this.tell(), this.sentence.textContent = r.sentence, this.numbers.replaceChildren(...r.numbers.map(ho)), this.code.textContent = e.python(t), this.arrange(r.charts), this.lead(r.charts);
		for (let e of r.charts) this.figures.get(e.id).update(e, n, this.playing !== void 0);
		let i = e.schematic(t), a = Ya(i, n.letter, n.palette);
		this.drawn !== a && (this.drawing.innerHTML = this.drawn = a), this.caption.textContent = i.caption, this.hooks.drawn?.(this.shown);
	}
	lead(e) {
		let t = this.topic.main?.find((e) => this.figures.has(e)) ?? e[0].id, n = this.step === "play" ? e[Math.min(this.at, e.length - 1)].id : t;
		this.figures.forEach((e, r) => {
			e.root.classList.toggle("main", r === n);
			let i = this.step === "sealed" || !this.topic.live?.fitted;
			e.seal(r === t && i && this.sealed && this.step !== "play" ? this.sealed : void 0);
		});
	}
	arrange(e) {
		let t = e.map((e) => `${e.kind} ${e.id}`).join();
		if (this.charts.dataset.ids === t) return;
		this.charts.dataset.ids = t;
		let n = new Map(e.map((e) => [e.id, new Ca(e, this.look, this.topic.id)]));
		this.figures.clear(), n.forEach((e, t) => this.figures.set(t, e)), this.charts.replaceChildren(...[...n.values()].map((e) => e.root));
	}
};
function ho({ id: e, label: t, value: n, unit: r, format: i }) {
	let a = X("dd", {}, (i ?? _i)(n));
	return r && a.append(" ", X("small", {}, r)), X("div", { "data-number": e }, X("dt", {}, t), a);
}
function go(e, t) {
	let n = e.theory.equations.map((e) => {
		let t = X("li");
		return t.innerHTML = oo(e), t;
	}), r = X("a", {
		href: e.paper.href,
		target: "_blank",
		rel: "noopener noreferrer"
	}, e.paper.text), i = X("button", {
		type: "button",
		class: "copy"
	}, "Copy");
	return i.addEventListener("click", () => _o(i, t.textContent ?? "")), X("div", { class: "words" }, X("details", { class: "terms" }, X("summary", {}, "Glossary"), X("dl", {}, ...e.terms.flatMap((e) => [X("dt", {}, lo(e)), X("dd", {}, so[e])]))), X("details", {}, X("summary", {}, "The theory"), X("p", {}, e.theory.text), X("ul", { class: "equations" }, ...n), X("p", {}, "Source: ", r)), X("details", {}, X("summary", {}, "The same in Python"), i, X("pre", {}, t)));
}
async function _o(e, t, n = "Copied") {
	let r = e.textContent;
	try {
		await navigator.clipboard.writeText(t), e.textContent = n;
	} catch {
		e.textContent = "Copying is not allowed here";
	}
	setTimeout(() => {
		e.textContent = r;
	}, 1500);
}
function vo(e) {
	let t = e.dataset.theme;
	return {
		palette: (t ? t === "dark" : matchMedia("(prefers-color-scheme: dark)").matches) ? Ii : Fi,
		letter: Math.round(Number.parseFloat(getComputedStyle(e).fontSize) * .82),
		...e.classList.contains("presenter") ? { tallest: .36 * innerHeight } : {}
	};
}
//#endregion
//#region src/style.css?inline
var yo = "body:has(>.festina.page){margin:0}.festina{--ink:var(--lightningcss-light,#16202c)var(--lightningcss-dark,#e9eef4);--quiet:var(--lightningcss-light,#53606f)var(--lightningcss-dark,#a3b0bf);--line:var(--lightningcss-light,#d9e0e7)var(--lightningcss-dark,#33404f);--ground:var(--lightningcss-light,#f4f6f8)var(--lightningcss-dark,#0d131a);--paper:var(--lightningcss-light,#fff)var(--lightningcss-dark,#151d27);--accent:var(--lightningcss-light,#0072b2)var(--lightningcss-dark,#4aa3e0);--seal:var(--lightningcss-light,#a5182c)var(--lightningcss-dark,#ff8d99);--on-accent:var(--lightningcss-light,#fff)var(--lightningcss-dark,#06121c);--warn:var(--lightningcss-light,#fff3d6)var(--lightningcss-dark,#3a2d0c);--warn-ink:var(--lightningcss-light,#5c3d00)var(--lightningcss-dark,#ffdf9e);--lightningcss-light:initial;--lightningcss-dark: ;color-scheme:light dark;color:var(--ink);background:var(--ground);text-align:left;font:17px/1.45 system-ui,-apple-system,Segoe UI,DejaVu Sans,sans-serif}@media (prefers-color-scheme:dark){.festina{--lightningcss-light: ;--lightningcss-dark:initial}}.festina[data-theme=light]{--lightningcss-light:initial;--lightningcss-dark: ;color-scheme:light}.festina[data-theme=dark]{--lightningcss-light: ;--lightningcss-dark:initial;color-scheme:dark}.festina.page{min-height:100vh}.festina.large{font-size:22px}@media (min-width:52em){.festina.large .topic{grid-template-columns:14em minmax(0,1fr)}}.festina.notebook{border:1px solid var(--line);border-radius:10px;font-size:15px}.festina,.festina *{box-sizing:border-box}.festina :is(button,input,output,summary){font:inherit;color:inherit}.festina :is(h1,h2,h3,p,ul,dl,dd,dt,figure,fieldset){margin:0;padding:0}.festina :is([hidden],.legend:empty){display:none}.festina :focus-visible{outline:3px solid var(--accent);outline-offset:2px}.festina .top{background:var(--paper);border-bottom:1px solid var(--line);flex-wrap:wrap;align-items:center;gap:.3em 1.1em;padding:.45em 1.4em;display:flex}.festina .top h1{letter-spacing:.01em;font-size:1.15em}.festina nav.topics{counter-reset:topic;scrollbar-width:none;gap:.2em;display:flex;overflow-x:auto}.festina nav.topics a{color:var(--quiet);white-space:nowrap;border-radius:.5em;padding:.35em .5em;font-size:.93em;text-decoration:none}.festina nav.topics a:hover{background:var(--ground);color:var(--ink)}.festina nav.topics a:before{counter-increment:topic;content:counter(topic) \" \"}.festina nav.topics a[aria-current]{background:var(--accent);color:var(--on-accent)}.festina .tools{gap:.4em;margin-left:auto;display:flex}.festina :is(.tools button,.tools a,.copy,.press,.next,.play,.option,.skip){background:var(--paper);border:1px solid var(--line);cursor:pointer;border-radius:.5em;padding:.35em .75em;font-size:.88em}.festina :is(.tools button,.tools a,.copy,.press,.next,.play,.option,.skip):hover,.festina .tools button[aria-pressed=true]{border-color:var(--accent)}.festina .notice{background:var(--warn);color:var(--warn-ink);border-radius:.5em;margin:.8em 1.4em 0;padding:.6em .9em}.festina .kind{margin-right:.6em;display:inline-block}.festina .key{vertical-align:middle;border-radius:1em;width:2em;margin:0 .4em .22em 0;display:inline-block}.festina .key.trained{background:var(--accent);opacity:.32;height:7px}.festina .key.predicted{background:var(--accent);height:2px}.festina .onward{justify-content:flex-end;gap:1.6em;max-width:96em;margin:0 auto;padding:0 1.4em 2em;display:flex}.festina .chapter{flex-direction:column;gap:.7em;max-width:84em;min-height:calc(100svh - 3.4em);margin:0 auto;padding:1.4em 1.4em 2.2em;display:flex}.festina .chapter.away,.festina.presenter :is(.story~.topic,.onward,.classroom,details,.next,nav.topics,.side,.numbers,.words,.schematic),.festina.presenter :is(.chapter .card,.chapter .card+.buttons),.festina.presenter .topic[data-step=why] .sentence,.festina.presenter .topic[data-step=play] .ask{display:none}.festina .chapter:is(.illusion,.why){min-height:0}.festina .chapter+.chapter{border-top:1px solid var(--line)}.festina :is(.chapter,.topic:not([data-step=play])) h2{font-size:clamp(1.25em,2.6vw,2em);line-height:1.15}.festina .chapter h2:focus,.festina .topic:focus{outline:none}.festina .chapter .lead{color:var(--quiet);font-size:1.1em}.festina .chapter .sentence{max-width:90ch}.festina .chapter .buttons,.festina .classroom .buttons{flex-wrap:wrap;align-items:center;gap:.6em 1em;display:flex}.festina .chapter .go{margin:0}.festina .chapter .keys{color:var(--quiet);flex-wrap:wrap;gap:.1em 1.4em;font-size:.9em;display:flex}.festina .tree{background:var(--paper);border:1px solid var(--line);border-radius:.7em;flex:22em;min-height:19em;max-height:36em;overflow:hidden}.festina .tree svg{display:block}.festina .stamp rect{fill:var(--paper);stroke:var(--seal);stroke-width:2px}.festina .stamp text{fill:var(--seal)}.festina .illusion rect{fill:var(--seal);opacity:.1}.festina .illusion text{fill:var(--seal)}.festina .handle{cursor:ew-resize;touch-action:none}.festina .handle:focus-visible{outline:none}.festina .handle:focus-visible circle{stroke:var(--accent);stroke-width:5px}.festina .card svg{border:1px solid var(--line);border-radius:10px;max-width:100%;display:block}.festina .chapter .controls{max-width:40em}.festina .classroom{gap:.6em;margin-top:.6em;display:grid}.festina .classroom :is(input,textarea){color:var(--ink);background:var(--ground);border:1px solid var(--line);border-radius:.4em;padding:.3em .5em;font:1em ui-monospace,DejaVu Sans Mono,monospace}.festina .classroom input{text-transform:uppercase}.festina .code{letter-spacing:.08em;font:700 1.3em ui-monospace,DejaVu Sans Mono,monospace}.festina .qr{width:11em}.festina .camera{border-radius:.4em;width:min(100%,20em)}.festina .key.drawn{border-top:3px dotted var(--ink);height:0}.festina .key.split{border:2px solid var(--ink);border-radius:0;width:.6em;height:.6em;transform:rotate(45deg)}.festina.presenter{font-size:clamp(18px,1.75vw,30px)}.festina.presenter .tools button:not([aria-pressed=true]){opacity:.75}.festina.presenter .topic{max-width:84em}.festina.presenter :is(.topic,.charts){grid-template-columns:minmax(0,1fr)}.festina.presenter .chapter{height:calc(100svh - 3.6em);min-height:0;padding-block:1em;overflow:hidden}.festina.presenter .ask:has(.answer){justify-content:space-between;align-items:center;gap:1.4em;max-width:none;display:flex}.festina.presenter .ask .go{flex:none;margin:0}.festina.presenter .tree{flex-basis:0;min-height:9em}.festina.presenter .chart:not(.main):not(.chapter .chart){display:none}.festina .topic{grid-template-columns:minmax(15em,18em) minmax(0,1fr);gap:.7em 1.6em;max-width:96em;margin:0 auto;padding:1em 1.4em 2em;display:grid}.festina .topic>header{grid-column:1/-1}.festina :is(h1,h2,h3){font-weight:700}.festina h2{text-wrap:balance;font-size:1.3em;line-height:1.25}.festina .side{align-self:start;gap:.9em;display:grid}.festina.page .side{top:var(--hold,.8em);position:sticky}.festina .panel{background:var(--paper);border:1px solid var(--line);border-radius:.7em;gap:1em;padding:1em;display:grid}.festina .seen{align-content:start;gap:.9em;min-width:0;display:grid}.festina .sentence{max-width:75ch;min-height:2.9em;font-size:1.06em}.festina .scene{align-items:center;gap:1.4em;display:flex}.festina .schematic{flex:none;width:21em;max-width:100%}.festina .schematic svg{max-width:100%;height:auto;margin:0 auto;display:block}.festina .schematic figcaption{color:var(--quiet);margin-top:.4em;font-size:.82em;line-height:1.35;display:block}.festina .said{flex:1 1 0;gap:.8em;min-width:0;display:grid}.festina .ask{background:var(--paper);border:1px solid var(--accent);border-radius:.7em;max-width:75ch;padding:.9em 1em}.festina .ask:has(.answer){border-color:var(--line);padding:.6em .9em;font-size:.95em}.festina .options{justify-items:start;gap:.45em;margin-top:.7em;display:grid}.festina .option{text-align:left;font-size:.95em}.festina .skip{color:var(--quiet);margin-top:.2em}.festina .topic:not([data-step=play]){grid-template-columns:minmax(0,1fr);max-width:68em}.festina .topic:not([data-step=play]) .charts{grid-template-columns:minmax(0,1fr)}.festina.page .topic[data-step=ask]{align-content:center;row-gap:1.8em;min-height:calc(100svh - 9em)}.festina .topic[data-step=ask] .ask{padding:1.2em 1.4em;font-size:1.1em}.festina main:has(.topic:not([data-step=play])) .onward{max-width:68em}.festina .topic:not([data-step=play]) :is(.side,.words,.chart:not(.main)),.festina .topic:is([data-step=ask],[data-step=sealed]) .sentence,.festina .topic[data-step=ask] .charts,.festina .topic:is([data-step=sealed],[data-step=training],[data-step=why]) .schematic,.festina .stale :is(.sentence,.charts,.numbers,.words){display:none}.festina .topic:is([data-step=sealed],[data-step=training],[data-step=why]) :is(.seen,.scene,.said){display:contents}.festina .topic:is([data-step=sealed],[data-step=training],[data-step=why]) .sentence{order:1}.festina .sealed{border:2px solid var(--seal);color:var(--seal);letter-spacing:.02em;border-radius:.4em;align-self:flex-start;margin-bottom:.5em;padding:.05em .6em;font-size:.82em;font-weight:700}.festina .go{color:var(--on-accent);background:var(--accent);border:1px solid var(--accent);cursor:pointer;border-radius:.5em;margin-top:.7em;padding:.5em 1.1em;font-weight:600}.festina .ask:focus{outline:none}.festina .skip-link{position:absolute;left:-999em}.festina .skip-link:focus{z-index:2;background:var(--paper);padding:.3em .8em;top:.4em;left:.6em}.festina main:focus{outline:none}.festina .more{width:100%;padding:.4em .7em}.festina .more>*+*{margin-top:.7em}.festina .numbers{background:var(--paper);border:1px solid var(--line);border-radius:.7em;padding:.4em 1em}.festina .numbers>div{justify-content:space-between;align-items:center;gap:1em;padding:.35em 0;display:flex}.festina .numbers>div+div{border-top:1px solid var(--line)}.festina .numbers dt{color:var(--quiet);font-size:.8em;line-height:1.25}.festina .numbers dd{text-align:right;font-variant-numeric:tabular-nums;font-size:.93em;font-weight:600;line-height:1.2}.festina .numbers small{white-space:nowrap;color:var(--quiet);font-weight:400;display:block}.festina .control .head{flex-wrap:wrap}.festina .control legend{white-space:normal;max-width:100%}.festina .controls,.festina .control{min-width:0}.festina .control :is(input,textarea,select){box-sizing:border-box;max-width:100%}.festina .controls{flex-wrap:wrap;align-items:end;gap:.7em .35em;display:flex}.festina .controls>:not(.preset){width:100%}.festina .controls>.preset{flex-wrap:wrap;align-items:center;gap:.3em;display:flex}.festina .controls>.preset+.preset{margin-top:-.35em}.festina .ask-help{width:1.65em;min-width:24px;height:1.65em;min-height:24px;color:var(--quiet);background:var(--ground);border:1px solid var(--line);cursor:pointer;border-radius:50%;flex:none;padding:0;font-size:.76em;line-height:1}.festina .ask-help[aria-expanded=true]{color:var(--on-accent);background:var(--accent);border-color:var(--accent)}.festina .help{width:100%;color:var(--quiet);margin:.2em 0;font-size:.85em}.festina .head label{margin-right:auto}.festina .table textarea{width:100%;color:var(--ink);background:var(--ground);border:1px solid var(--line);resize:vertical;border-radius:.4em;margin:.3em 0;padding:.4em .5em;font:.78em/1.4 ui-monospace,SF Mono,Menlo,DejaVu Sans Mono,monospace;display:block}.festina .table input[type=file]{width:100%;min-height:28px;font-size:.82em}.festina .wrong{background:var(--warn);color:var(--warn-ink);border-radius:.4em;margin-top:.3em;padding:.4em .6em;font-size:.85em}.festina .play{justify-self:start}.festina fieldset{border:0;min-width:0}.festina .head{justify-content:space-between;align-items:baseline;gap:.6em;display:flex}.festina .head output{font-variant-numeric:tabular-nums;white-space:nowrap;font-weight:600}.festina :is(legend,.slider label){padding:0;font-size:.93em}.festina input[type=range]{appearance:none;cursor:pointer;touch-action:pan-y;background:0 0;width:100%;height:1.9em;margin:0;display:block}.festina input[type=range]::-webkit-slider-runnable-track{background:linear-gradient(to right, var(--accent) var(--filled,0%), var(--line) var(--filled,0%));border-radius:1em;height:.36em}.festina input[type=range]::-moz-range-track{background:linear-gradient(to right, var(--accent) var(--filled,0%), var(--line) var(--filled,0%));border-radius:1em;height:.36em}.festina input[type=range]::-webkit-slider-thumb{appearance:none;border:3px solid var(--paper);background:var(--accent);width:1.25em;height:1.25em;box-shadow:0 0 0 1px var(--line);border-radius:50%;margin-top:-.445em}.festina input[type=range]::-moz-range-thumb{border:3px solid var(--paper);background:var(--accent);border-radius:50%;width:1em;height:1em}.festina .choice{flex-wrap:wrap;gap:.35em;display:flex}.festina .choice legend{float:left;width:100%;margin-bottom:.3em}.festina .choice label{position:relative}.festina .choice input{opacity:0;cursor:pointer;margin:0;position:absolute;inset:0}.festina .choice span{border:1px solid var(--line);border-radius:.5em;padding:.25em .65em;font-size:.9em;display:block}.festina .choice input:checked+span{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}.festina .choice input:focus-visible+span{outline:3px solid var(--accent);outline-offset:2px}.festina .scroll{overflow-x:auto}.festina legend{white-space:nowrap}.festina .grid table{border-collapse:separate;border-spacing:3px;margin-top:.3em;font-size:.85em}.festina .grid th{color:var(--quiet);padding:0 .2em;font-weight:400}.festina .grid th[scope=col]{text-align:center}.festina .grid th[scope=row]{text-align:right;white-space:nowrap}.festina .grid :is(td,tr){background:0 0;padding:0}.festina .grid td button{background:var(--ground);border:1px solid var(--line);cursor:pointer;border-radius:.4em;width:2.3em;height:1.75em;padding:0;display:block}.festina .grid td button[aria-pressed=true]{background:var(--accent);border-color:var(--accent)}.festina .grid td button[aria-pressed=true]:after{content:\"✓\";color:var(--on-accent)}.festina .train{text-align:left;background:var(--ground);border:1px solid var(--line);cursor:pointer;border-radius:.5em;align-items:center;gap:.6em;padding:.55em .7em;line-height:1.25;display:flex}.festina .lamp{border:2px solid var(--quiet);border-radius:50%;flex:none;width:.75em;height:.75em}.festina .train[aria-pressed=true] .lamp{background:var(--accent);border-color:var(--accent)}.festina .train[data-training=running] .lamp{animation:1.2s ease-in-out infinite festina-breath}@keyframes festina-breath{50%{opacity:.25}}@media (prefers-reduced-motion:reduce){.festina .lamp{animation:none!important}}.festina .status{color:var(--quiet);margin-left:auto;font-size:.82em}.festina .charts{grid-template-columns:repeat(auto-fit,minmax(min(100%,max(17.5em,40%)),1fr));gap:1em;display:grid}.festina .chart{background:var(--paper);border:1px solid var(--line);border-radius:.7em;flex-direction:column;min-width:0;padding:.7em .8em .5em;display:flex}.festina .chart.wide{grid-column:1/-1}.festina figcaption{justify-content:space-between;align-items:flex-start;gap:.8em;display:flex}.festina h3{font-size:1em;line-height:1.3}.festina .save{background:0 0;border:0;flex:none;padding:0;font-size:.76em;display:flex;position:static}.festina .save :is(summary,button){min-height:24px;color:var(--quiet);cursor:pointer;background:0 0;border:0;border-radius:.4em;padding:.3em .5em;font-weight:400;list-style:none}.festina .save summary{order:1}.festina .save summary::-webkit-details-marker{display:none}.festina .save[open]::details-content{display:contents}.festina .save :is(summary,button):hover{color:var(--accent);text-decoration:underline}.festina .legend{flex-wrap:wrap;gap:.05em 1.1em;margin:.25em 0 .2em;font-size:.85em;list-style:none;display:flex}.festina .legend svg{flex:none}.festina .legend li{align-items:center;gap:.4em;margin:0;display:flex}.festina .legend output{font-variant-numeric:tabular-nums;min-width:3.6em;font-weight:600}.festina .plot{min-height:10em;margin-top:auto;overflow:hidden}.festina .plot svg{display:block}.festina .u-hz .u-cursor-x,.festina .u-hz .u-cursor-y{border-color:var(--quiet)}.festina .words{grid-template-columns:minmax(0,1fr);gap:.5em;display:grid}.festina details{background:var(--paper);border:1px solid var(--line);border-radius:.7em;padding:.55em .9em;position:relative}.festina summary{cursor:pointer;font-weight:600}.festina details p{max-width:75ch;margin-top:.6em}.festina .terms dl{grid-template-columns:minmax(9em,max-content) minmax(0,75ch);gap:.4em 1.2em;margin-top:.6em;display:grid}.festina .terms dt{font-weight:600}.festina .terms dt:first-letter{text-transform:uppercase}.festina .equations{margin-top:.8em;list-style:none;overflow-x:auto}.festina .equations li{margin:0 0 .7em 1em}.festina math{display:block math;width:max-content;font-size:1.08em}.festina a{color:var(--accent)}.festina pre{background:var(--ground);color:inherit;border-radius:.5em;margin:.6em 0 0;padding:.7em .9em;font:.85em/1.5 ui-monospace,SF Mono,Menlo,DejaVu Sans Mono,monospace;overflow-x:auto}.festina .copy{position:absolute;top:.4em;right:.6em}@media (max-width:75em){.festina .top{gap:.3em .8em}.festina nav.topics{font-size:.9em}.festina nav.topics a{padding:.35em .4em}.festina .tools :is(a,button){padding:.3em .5em;font-size:.8em}.festina .scene{flex-direction:column;align-items:stretch;gap:.9em}.festina .schematic{align-items:center;gap:1.2em;width:100%;display:flex}.festina .drawing{flex:none;max-width:100%}.festina .said{flex:none}}@media (max-width:52em){.festina .chapter{min-height:calc(100svh - 6em);padding:.8em .8em 1.6em}.festina .chapter .lead{font-size:1em;line-height:1.3}.festina .tree{flex-basis:19em}.festina .topic{grid-template-columns:minmax(0,1fr);padding:.9em .8em 2em}.festina .topic>:is(.seen,.side),.festina .topic[data-step=play] .charts{display:contents}.festina .schematic{display:block}.festina .topic[data-step=ask] .said{order:-1}.festina .onward{padding-inline:.8em}.festina .topic .panel{order:1}.festina .topic .numbers,.festina .topic .chart:not(:first-child),.festina .topic .words{order:2}.festina .terms dl{grid-template-columns:minmax(0,1fr);gap:.1em}.festina .terms dd{margin-bottom:.6em}.festina .top{padding:.45em .8em}.festina .top h1{order:0}.festina .tools{order:1;gap:.25em}.festina nav.topics{order:2;width:100%}.festina .notice{margin-inline:.8em}.festina h2{font-size:1.15em}}", bo = class {
	weights;
	units;
	loss = 0;
	p;
	codes;
	read;
	back;
	change;
	answers;
	constructor(e, t) {
		let n = e.length;
		this.p = n, this.weights = t.slice(), this.units = t.length / (3 * n), this.codes = new Float64Array(n * n);
		for (let t = 0; t < n; t++) for (let r = 0; r < n; r++) this.codes[t * n + r] = e[(r - t + n) % n];
		this.read = new Float64Array(this.units * 2 * n), this.back = new Float64Array(this.units * 2 * n), this.change = new Float64Array(t.length), this.answers = new Float64Array(n * n * n), this.refresh();
	}
	refresh() {
		let { p: e, units: t, codes: n, read: r, back: i, weights: a, change: o, answers: s } = this;
		for (let i = 0; i < t; i++) for (let t = 0; t < 2; t++) for (let o = 0; o < e; o++) {
			let s = 0;
			for (let r = 0; r < e; r++) s += a[(i * 3 + t) * e + r] * n[o * e + r];
			r[(i * 2 + t) * e + o] = s;
		}
		s.fill(0), i.fill(0), o.fill(0), this.loss = 0;
		let c = new Float64Array(e);
		for (let l = 0; l < e; l++) for (let u = 0; u < e; u++) {
			let d = (l * e + u) * e;
			for (let n = 0; n < t; n++) {
				let t = (r[n * 2 * e + l] + r[(n * 2 + 1) * e + u]) ** 2;
				for (let r = 0; r < e; r++) s[d + r] += a[(n * 3 + 2) * e + r] * t;
			}
			let f = (l + u) % e * e;
			for (let t = 0; t < e; t++) c[t] = n[f + t] - s[d + t], this.loss += c[t] ** 2;
			for (let n = 0; n < t; n++) {
				let t = r[n * 2 * e + l] + r[(n * 2 + 1) * e + u], s = (n * 3 + 2) * e, d = 0;
				for (let n = 0; n < e; n++) d += c[n] * a[s + n], o[s + n] += c[n] * t * t;
				i[n * 2 * e + l] += 2 * t * d, i[(n * 2 + 1) * e + u] += 2 * t * d;
			}
		}
		for (let r = 0; r < t; r++) for (let t = 0; t < 2; t++) for (let a = 0; a < e; a++) {
			let s = i[(r * 2 + t) * e + a];
			for (let i = 0; i < e; i++) o[(r * 3 + t) * e + i] += s * n[a * e + i];
		}
		let l = 1 / (e * e);
		this.loss *= .5 * l;
		for (let e = 0; e < o.length; e++) o[e] *= l;
	}
	get descent() {
		return this.change;
	}
	step(e) {
		for (let t = 0; t < this.weights.length; t++) this.weights[t] += e * this.change[t];
		this.refresh();
	}
	get right() {
		let { p: e, codes: t, answers: n } = this, r = 0;
		for (let i = 0; i < e; i++) for (let a = 0; a < e; a++) {
			let [o, s] = [0, -Infinity];
			for (let r = 0; r < e; r++) {
				let c = 0;
				for (let o = 0; o < e; o++) c += t[r * e + o] * n[(i * e + a) * e + o];
				c > s && ([o, s] = [r, c]);
			}
			o === (i + a) % e && r++;
		}
		return r / (e * e);
	}
};
//#endregion
//#region src/learn/random.ts
function xo(e) {
	let t = 2654435769, n = 608135816, r = e | 0, i = 1, a = () => {
		let e = (t + n | 0) + i | 0;
		return i = i + 1 | 0, t = n ^ n >>> 9, n = r + (r << 3) | 0, r = (r << 21 | r >>> 11) + e | 0, (e >>> 0) / 4294967296;
	};
	for (let e = 0; e < 20; e++) a();
	return a;
}
function So(e) {
	let t = xo(e), n;
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
//#region src/theory/waves.ts
var Co = .5, wo = .01;
function To(e, t) {
	let [n, r] = [0, 0];
	for (let i = 0; i < e.length; i++) {
		let a = 2 * Math.PI * t * i / e.length;
		n += e[i] * Math.cos(a), r -= e[i] * Math.sin(a);
	}
	return [n, r];
}
function Eo(e, t) {
	return Array.from({ length: e }, (n, r) => {
		let i = 0;
		for (let n = 1; n <= (e - 1) / 2; n++) i += t ** (n - 1) * Math.cos(2 * Math.PI * n * r / e);
		return i;
	});
}
function Do(e) {
	let t = e.length;
	return Array.from({ length: (t - 1) / 2 }, (n, r) => {
		let [i, a] = To(e, r + 1);
		return (i * i + a * a) / t;
	});
}
function Oo(e, t, n, r, i) {
	let [a, o, s, c, l] = [
		e,
		t,
		n,
		r,
		0
	];
	for (let e = 0; e < 1e5 && a * a + o * o + s * s < Co * Co; e++) {
		let e = (e, t, n, r) => [
			i * t * n * Math.cos(r),
			i * e * n * Math.cos(r),
			i * e * t * Math.cos(r),
			-i * Math.sin(r) * (t * n / e + e * n / t + e * t / n)
		], t = e(a, o, s, c), n = wo / Math.max(...[
			a,
			o,
			s
		].map((e, n) => Math.abs(t[n]) / e), Math.abs(t[3])), r = e(a + n / 2 * t[0], o + n / 2 * t[1], s + n / 2 * t[2], c + n / 2 * t[3]);
		a += n * r[0], o += n * r[1], s += n * r[2], c += n * r[3], l += n;
	}
	return l;
}
function ko(e, t) {
	let n = e.length, r = t.length / (3 * n);
	return Array.from({ length: (n - 1) / 2 }, (i, a) => {
		let o = a + 1, [s, c] = To(e, o), [l, u] = [Math.hypot(s, c), Math.atan2(c, s)], d = Math.SQRT2 * l ** 3 * n ** -1.5, f = Array.from({ length: r }, (e, r) => {
			let i = [
				0,
				1,
				2
			].map((e) => To(t.subarray((r * 3 + e) * n, (r * 3 + e + 1) * n), o)), [a, s, c] = i.map(([e, t]) => Math.sqrt(2 / n) * Math.hypot(e, t)), [l, f, p] = i.map(([e, t]) => Math.atan2(t, e));
			return Oo(a, s, c, l + f - p - u, d);
		});
		return Math.min(...f);
	});
}
//#endregion
//#region src/topic.ts
function Z(e, t) {
	let n = e[t];
	if (typeof n != "number") throw Error(`state has no number ${t}`);
	return n;
}
function Ao(e, t) {
	let n = e[t];
	if (typeof n != "string") throw Error(`state has no word ${t}`);
	return n;
}
function jo(e, t) {
	let n = e[t];
	if (!Array.isArray(n)) throw Error(`state has no grid ${t}`);
	return n;
}
function Mo(e) {
	let t = 10 ** Math.floor(Math.log10(e));
	return t * ([
		1,
		1.5,
		2,
		3,
		4,
		5,
		6,
		8
	].find((n) => n * t >= e * (1 - 1e-9)) ?? 10);
}
function No(e) {
	return {
		kind: "slider",
		id: "moment",
		label: "Time",
		min: 0,
		max: 1,
		step: .01,
		value: 1,
		format: e,
		help: "The time at which the network is shown, as a fraction of the time axis. Play runs it from start to end."
	};
}
//#endregion
//#region src/topics/drawing.ts
var Po = class {
	height;
	nodes = [];
	links = [];
	words = [];
	feet = [];
	constructor(e) {
		this.height = e;
	}
	column(e, t, n, r = () => ({})) {
		let i = Math.min(1.35, this.height / Math.max(t.length, 1)), a = t.map((n, a) => (this.nodes.push({
			x: e,
			y: (this.height + i * (2 * a + 1 - t.length)) / 2,
			...n ? { label: n } : {},
			...r(a)
		}), this.nodes.length - 1));
		return n && this.feet.push({
			x: e,
			text: n
		}), a;
	}
	node(e) {
		return this.nodes.push(e) - 1;
	}
	join(e, t, n = () => ({})) {
		e.forEach((e, r) => t.forEach((t, i) => {
			let a = n(r, i);
			a && this.links.push({
				from: e,
				to: t,
				...a
			});
		}));
	}
	word(e, t, n) {
		this.words.push({
			x: e,
			y: t,
			text: n
		});
	}
	done(e) {
		let t = Math.max(...this.nodes.map(({ y: e }) => e));
		return {
			caption: e,
			nodes: this.nodes,
			links: this.links,
			words: [...this.words, ...this.feet.map(({ x: e, text: n }) => ({
				x: e,
				y: t + 1.4,
				text: n
			}))]
		};
	}
}, Fo = (e) => Array.from({ length: e }, () => void 0), Io = .05, Lo = .1, Ro = (e) => {
	let t = 100 * e;
	return `${t < .1 ? "below 0.1" : t < 10 ? Number(t.toPrecision(2)) : Math.round(t)}\u00a0%`;
}, Q = (e) => Number(e.toPrecision(3)).toString().replace("-", "−"), zo = (e) => String(Number(e.toPrecision(12))), Bo = [
	"no",
	"one",
	"two",
	"three",
	"four",
	"five",
	"six",
	"seven",
	"eight"
];
function Vo(e, t, n, r = !1) {
	if (e === void 0 || !Number.isFinite(e)) return " The comparison with training appears after a network has been trained.";
	let i = `prediction and training differ by ${Ro(e)} (area between the loss curves)`;
	return e <= Io ? ` ${t} ${r ? "follow" : "follows"} the prediction: ${i}.` : e <= Lo ? ` ${t} ${r ? "stay" : "stays"} near the prediction, not exactly on it: ${i}.` : ` ${t} ${r ? "depart" : "departs"} visibly from the prediction, because ${n}: ${i}.`;
}
//#endregion
//#region src/topics/addition.ts
var Ho = 8, Uo = .01, Wo = 12e3, Go = 240, Ko = 1 - 1e-6, qo = 6e6, Jo = (e) => [
	"p",
	"ratio",
	"start"
].map((t) => e[t]).join(" "), Yo;
function Xo(e) {
	let t = Jo(e);
	if (Yo?.key !== t) {
		let [n, r] = [Number(Ao(e, "p")), Z(e, "ratio")], i = Eo(n, r), a = So(2), o = new Float64Array(3 * n * Ho * ((n - 1) / 2)).map(() => Z(e, "start") * a()), s = ko(i, o), c = Mo(1.6 * Math.max(...s));
		Yo = {
			key: t,
			setting: {
				p: n,
				ratio: r,
				template: i,
				powers: Do(i),
				weights: o,
				times: s,
				end: c
			}
		};
	}
	return Yo.setting;
}
function* Zo(e) {
	let { p: t, ratio: n, template: r, weights: i, end: a, powers: o } = Xo(e), s = new bo(r, i), c = Math.max(Uo, a / Wo), l = Math.ceil(a / c), u = {
		times: [],
		loss: [],
		shares: o.map(() => [])
	}, d = () => ({
		...u,
		right: s.right,
		units: $o(s, t)
	}), f = 0;
	for (let e = 0; e <= l; e++) (e === l || e >= u.times.length * l / Go) && (u.times.push(e * c), u.loss.push(s.loss), o.forEach((e, r) => u.shares[r].push(Qo(s.answers, t, r + 1, n ** r)))), e < l && s.step(c), f += 6 * t ** 3 * s.units, f > qo && (f = 0, yield d());
	yield d();
}
function Qo(e, t, n, r) {
	let i = Array.from({ length: t }, (e, i) => r * Math.cos(2 * Math.PI * n * i / t)), a = 0;
	for (let n = 0; n < t; n++) for (let r = 0; r < t; r++) for (let o = 0; o < t; o++) a += i[(o - n - r + 2 * t) % t] * e[(n * t + r) * t + o];
	return a / (t * t * i.reduce((e, t) => e + t * t, 0));
}
function $o({ weights: e, units: t }, n) {
	let r = Array.from({ length: t }, (t, r) => {
		let i = e.subarray((r * 3 + 2) * n, (r * 3 + 3) * n);
		return Array.from({ length: (n - 1) / 2 }, (e, t) => {
			let [r, a] = [0, 0];
			return i.forEach((e, i) => {
				r += e * Math.cos(2 * Math.PI * (t + 1) * i / n), a += e * Math.sin(2 * Math.PI * (t + 1) * i / n);
			}), Math.hypot(r, a) * Math.sqrt(2 / n);
		});
	}), i = (e) => e.indexOf(Math.max(...e));
	return r.sort((e, t) => i(e) - i(t) || Math.max(...t) - Math.max(...e));
}
var es = (e) => `wave ${e + 1}`;
function ts(e) {
	return e.map((e, t) => t).sort((t, n) => e[t] - e[n]);
}
function ns(e, t) {
	let { p: n, times: r, end: i, powers: a } = Xo(e), o = a.reduce((e, t) => e + t, 0), s = ts(r), c = {
		label: "flow time",
		values: [0, i],
		range: [0, i]
	}, l = r.map((e, t) => ({
		label: es(t),
		x: [
			0,
			e * Ko,
			e,
			i
		],
		y: [
			0,
			0,
			1,
			1
		],
		colour: 7 + t % 6
	})), u = [o];
	for (let e of s) u.push(u[u.length - 1] - a[e]);
	let d = {
		label: "prediction",
		x: [
			0,
			...s.flatMap((e) => [r[e] * Ko, r[e]]),
			i
		],
		y: u.flatMap((e) => [e, e]).map((e) => Math.max(e, 0)),
		colour: 6
	}, f = t && t.times.length > 2 ? t : void 0, p = f?.shares.map((e) => f.times[e.findIndex((e) => e > .5)] ?? NaN), m = (f?.shares ?? []).map((e, t) => ({
		label: "trained network",
		x: f.times,
		y: e,
		colour: 7 + t % 6,
		role: "trained",
		quiet: !0
	})), h = f ? [{
		kind: "heat",
		id: "units",
		title: "Each unit specialises in one wave",
		label: "strength",
		sizes: !0,
		wide: !0,
		tall: !0,
		matrix: f.units,
		rows: f.units.map((e, t) => `unit ${t + 1}`),
		columns: a.map((e, t) => es(t))
	}] : [];
	return {
		sentence: rs(n, s, r, p, f?.right),
		numbers: [
			{
				id: "before",
				label: "loss before any wave",
				value: o
			},
			{
				id: "after",
				label: "loss after the strongest wave",
				value: o - Math.max(...a)
			},
			{
				id: "first",
				label: "first wave begins",
				value: r[s[0]],
				unit: "flow time"
			},
			{
				id: "last",
				label: "last wave begins",
				value: r[s[s.length - 1]],
				unit: "flow time"
			},
			...f ? [{
				id: "right",
				label: "fraction of correct sums",
				value: f.right
			}] : []
		],
		charts: [
			{
				kind: "lines",
				id: "waves",
				title: "How much of each wave is learned",
				wide: !0,
				x: c,
				y: {
					label: "share learned",
					range: [-.1, 1.25]
				},
				lines: [...m, ...l]
			},
			{
				kind: "lines",
				id: "loss",
				title: "Loss: one plateau for each wave",
				wide: !0,
				x: c,
				y: {
					label: "loss",
					range: [0, 1.05 * o]
				},
				lines: [...f ? [{
					label: "trained network",
					x: f.times,
					y: f.loss,
					colour: 6,
					role: "trained"
				}] : [], d]
			},
			...h
		]
	};
}
function rs(e, t, n, r, i) {
	let a = (e) => e.map((e) => e + 1).join(", "), o = `On a clock of ${e} hours waves are predicted to begin in the order ${a(t)}, at ${t.map((e) => Q(n[e])).join(", ")}: then their first units become large.`;
	if (!r || i === void 0) return `${o} The comparison with training appears after a network has been trained.`;
	let s = ts(r).filter((e) => Number.isFinite(r[e]));
	if (!s.length) return `${o} The trained network has not learned a wave yet.`;
	let c = s.every((e, n) => e === t[n]);
	return `${o} The trained network has half learned waves ${a(s)} at ${s.map((e) => Q(r[e])).join(", ")}: ${c ? "the predicted order" : "not quite the predicted order"}. A wave needs several units, so it is half learned later than it begins. Now ${Math.round(100 * i)} % of all sums are correct.`;
}
function is(e) {
	let t = Number(Ao(e, "p")), n = new Po(8), [r, i] = [0, 1].map((e) => n.node({
		x: 4,
		y: 2 + 4 * e,
		shape: "square",
		colour: e,
		label: e ? "b" : "a",
		side: "left"
	})), a = n.column(10, Fo(6), "squared units"), o = n.node({
		x: 16,
		y: 4,
		shape: "square",
		colour: 2,
		label: "a + b",
		side: "right"
	});
	return n.join([r], a, () => ({
		colour: 0,
		weight: .8
	})), n.join([i], a, () => ({
		colour: 1,
		weight: .8
	})), n.join(a, [o], () => ({ weight: .8 })), n.done(`The inputs are two numbers from 0 to ${t - 1}; the target is their sum on a clock of ${t} hours. Each number is coded by ${(t - 1) / 2} waves around the clock.`);
}
var as = {
	id: "addition",
	title: "Addition",
	question: "How does a network learn to add on a clock?",
	paper: {
		text: "Kunin et al. 2025, Alternating gradient flows: a theory of feature learning in two-layer neural networks",
		href: "https://arxiv.org/abs/2506.06489"
	},
	terms: [
		"wave",
		"unit",
		"saddle",
		"loss",
		"flow"
	],
	theory: {
		text: "The code of a number a is one vector, rotated by a places, so each of its waves is shifted by a times an angle. The answer to a and b is the code of a + b, modulo p. Units square what they read, so a product of two waves can become the wave of the sum. While units are small they do not affect each other, and each wave in each unit grows independently until it diverges. The first is the wave that is strongest in the code, in the unit with the best initial weights. The theory predicts the order and the plateaus. The predicted times are those of the first unit of each wave, before the other units follow. They become exact as the initial weights become small. In the equations, ρ is the size of wave k in the weights u, v and w of a unit, and ψ is the mismatch of their phases.",
		equations: [
			"f(a, b) = Σ w_{i} (u_{i} · x_{a} + v_{i} · x_{b})^{2}",
			"frac{d ρ_{u}}{d t} = C_{k} ρ_{v} ρ_{w} cos ψ,  C_{k} = sqrt{2} frac{|x_{k}|^{3}}{p^{3/2}}",
			"frac{d ψ}{d t} = −C_{k} sin ψ ( frac{ρ_{v} ρ_{w}}{ρ_{u}} + frac{ρ_{u} ρ_{w}}{ρ_{v}} + frac{ρ_{u} ρ_{v}}{ρ_{w}} )",
			"L = frac{1}{p} Σ |x_{k}|^{2}  \"over waves not yet learned\""
		]
	},
	controls: [
		{
			kind: "choice",
			id: "p",
			label: "Hours of the clock",
			value: "7",
			options: [
				"5",
				"7",
				"11"
			].map((e) => ({
				value: e,
				label: e
			})),
			help: "The modulus p; a clock of p hours has (p − 1)/2 waves."
		},
		{
			kind: "slider",
			id: "ratio",
			label: "Strength of each wave / wave before",
			min: .6,
			max: 1,
			step: .05,
			value: .8,
			help: "How strong each wave is in the code of a number, relative to the wave before it."
		},
		{
			kind: "slider",
			id: "start",
			label: "Initial weights",
			min: .005,
			max: .05,
			step: .05,
			value: .015,
			log: !0,
			help: "Standard deviation of the random weights at time 0."
		}
	],
	schematic: is,
	ask: {
		prompt: "A network learns to add on a clock of seven hours, where 5 + 4 = 2. How does it learn all 49 sums?",
		options: [
			"Sum by sum, the easy ones first",
			"All sums alike, little by little",
			"In a few sudden steps, each for all sums"
		],
		right: () => 2,
		because: "Each step is one wave around the clock. A wave is a part of every sum, and the strongest wave grows first."
	},
	view: ns,
	live: {
		label: "Train squared units",
		key: Jo,
		run: Zo
	},
	python: (e) => {
		let { p: t, ratio: n } = Xo(e);
		return [
			"import numpy as np",
			"",
			"import festina as fs",
			"",
			`p, ratio = ${t}, ${zo(n)}`,
			"waves = np.arange(1, (p + 1) // 2)",
			"code = (ratio ** (waves - 1) * np.cos(2 * np.pi * np.outer(np.arange(p), waves) / p)).sum(axis=1)",
			"codes = np.array([np.roll(code, a) for a in range(p)])",
			"a, b = np.divmod(np.arange(p * p), p)",
			"task = fs.Task(np.hstack([codes[a], codes[b]]), codes[(a + b) % p])",
			"powers = np.abs(np.fft.fft(code)[waves]) ** 2 / p",
			"before = 0.5 * task.statistics.power",
			"numbers = {\"before\": float(before), \"after\": float(before - powers.max())}"
		].join("\n");
	}
}, os = 4, ss = class e {
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
		let n = Math.ceil(e.y[0].length / os) * os;
		this.outputs = n, this.first = new Float64Array(t * this.inputs), this.second = new Float64Array(t * n), this.activity = new Float64Array(t * this.points), this.y = new Float64Array(this.points * n), e.y.forEach((e, t) => this.y.set(e, t * n)), this.error = new Float64Array(this.y.length), this.on = new Int32Array(Math.max(t, this.points)), this.back = new Float64Array(this.points), this.places = e.x.map((e) => Int32Array.from(e.flatMap((e, t) => e === 0 ? [] : [t]))), this.values = e.x.map((e) => Float64Array.from(e.filter((e) => e !== 0)));
	}
	static random(t, n, r, i) {
		let a = new e(t, n), o = So(i);
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
			for (let e = 0; e < r; e += os) {
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
			for (let n = 0; n < a; n += os) {
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
}, cs = [
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
], ls = [
	71 / 57600,
	0,
	-71 / 16695,
	71 / 1920,
	-17253 / 339200,
	22 / 525,
	-1 / 40
];
function us(e) {
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
var ds = 1e5, fs = 1e-12;
function ps(e, t, n, r, i, a) {
	let o = t.length, s = Array.from({ length: 7 }, () => new Float64Array(o)), c = Float64Array.from(t), l = new Float64Array(o), u = new Float64Array(o), d = new Float64Array(o), f = new Float64Array(o), p = n[n.length - 1] ?? 0, m = 0, h = 0, g = p / 1e3;
	for (; h < n.length && n[h] <= 0; h++) if (a(h, c) === !0) return;
	e(c, s[0]);
	for (let t = 0; h < n.length; t++) {
		if (t > ds) throw Error("the integration takes too many steps");
		let _ = Math.min(g, p - m);
		for (let t = 0; t < 6; t++) ms(l, c, s, cs[t], _), e(l, s[t + 1]);
		ms(d, f, s, ls, _);
		let v = 0;
		for (let e = 0; e < o; e++) {
			let t = i + r * Math.max(Math.abs(c[e]), Math.abs(l[e])), n = Math.abs(d[e]) / t;
			n <= v || (v = n);
		}
		if (!Number.isFinite(v)) {
			if (_ < fs * p) throw Error("the integration left the finite numbers");
			g = .1 * _;
			for (let e of s.slice(1)) e.fill(0);
			continue;
		}
		if (g = _ * Math.min(5, Math.max(.2, .9 * Math.max(v, 1e-10) ** -.2)), v > 1) continue;
		let y = _ < p - m ? m + _ : p;
		for (u.set(l); h < n.length && n[h] <= y; h++) if (n[h] < y ? ms(l, c, s, us((n[h] - m) / _), _) : l.set(u), a(h, l) === !0) return;
		m = y, c.set(u), s[0].set(s[6]);
	}
}
function ms(e, t, n, r, i) {
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
var hs = [
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
], gs = Math.sqrt(8);
function _s(e) {
	let t = (Math.sqrt(e + 1) - 1) / e;
	return Array.from({ length: e }, (n, r) => new Float64Array(e).map((e, n) => t + +(n === r)));
}
function vs(e, t) {
	let n = 8 * e, r = [], i = [];
	for (let { square: a, modes: o } of hs) {
		let s = Math.sqrt(a) / n, c = a === hs[0].square;
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
function ys(e, t, n, r, i = 1e-7) {
	let a = r.map(() => 0), o = t.map(() => r.map(() => 0)), s = 8 * e, c = _s(e), l = t.map((e, t) => t).filter((e) => t[e].some(Boolean));
	for (let { square: u, modes: d } of hs) {
		let f = Math.sqrt(u), p = bs(e, l.map((e) => t[e]), u === hs[0].square), m = xs(e, p, c, Math.sqrt(n)), h = Float64Array.from(c.flatMap((e) => Array.from(e, (e) => f * e))), g = new Float64Array(h.length), _ = p.map(({ hidden: t }) => new Float64Array(t > 1 ? t * e : 0)), v = new Float64Array(e), y = (t) => {
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
						let o = t[a] + gs * t[a + r + 1];
						c[n * e + r] = o;
						for (let a = 0; a < e; a++) g[r * e + a] -= o * t[i + n * e + a];
					}
				}
			}
		};
		ps((t, n) => {
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
						l += d, n[o + i + 1] = gs * d / s;
					}
					n[o] = l / s;
					for (let t = 0; t < e; t++) n[a + r * e + t] = v[t] / s;
				}
			}
		}, m, r, i, i * Math.sqrt(n), (t, n) => {
			y(n);
			let r = 0;
			for (let e of g) r += e * e;
			a[t] += d * r / (2 * s), p.forEach((r, i) => o[l[i]][t] += d * Ss(r, n, e));
		});
	}
	return {
		times: [...r],
		loss: a,
		strengths: o.map((e) => e.map(Math.sqrt))
	};
}
function bs(e, t, n) {
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
function xs(e, t, n, r) {
	let i = t.at(-1), a = new Float64Array(i ? i.at + i.hidden * (i.features + e) : 0);
	for (let { at: i, out: o, hidden: s, features: c, open: l } of t) if (s > 1) {
		let t = Math.sqrt(e + 8);
		for (let n = 0; n < s; n++) {
			a[i + n * c] = r / t;
			for (let o = 0; o < e; o++) a[i + n * c + o + 1] = r * (+(n === o) - (1 - gs / t) / e);
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
function Ss({ at: e, out: t, hidden: n, features: r }, i, a) {
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
function Cs(e) {
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
function ws(e) {
	let t = _s(e), n = Ts(), r = [], i = [];
	for (let a = 0; a < e; a++) for (let o = 0; o < 8; o++) {
		let s = Array(8 + e).fill(0);
		s[o] = 1, s[8 + a] = 1, r.push(s), i.push(n.flatMap(({ sigma: e, vector: n }) => Array.from(t[a], (t) => e * n[o] * t)));
	}
	return {
		x: r,
		y: i
	};
}
function Ts() {
	return hs.flatMap(({ square: e, modes: t }, n) => {
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
//#region src/theory/passage.ts
function Es(e, t, n) {
	for (let r = 0; r < t.length; r++) {
		if (!(t[r] <= n)) continue;
		if (r === 0) return e[0];
		let i = (t[r - 1] - n) / (t[r - 1] - t[r]);
		return e[r - 1] + i * (e[r] - e[r - 1]);
	}
	return Infinity;
}
function Ds(e, t, n) {
	let r = Math.min(e.length, t.length, n.length), i = 0, a = 0;
	for (let o = 1; o < r; o++) {
		let r = (e[o] - e[o - 1]) / 2;
		i += r * (Math.abs(t[o] - n[o]) + Math.abs(t[o - 1] - n[o - 1])), a += r * (n[o] + n[o - 1]);
	}
	return a > 0 ? i / a : NaN;
}
//#endregion
//#region src/topics/contexts.ts
var Os = 3, ks = .05, As = .004, js = 8, Ms = 1.8, Ns = 200, Ps = .1, Fs = 2e7;
function Is(e) {
	let [t, n] = [Z(e, "contexts"), Z(e, "units")], r = Z(e, "scale") / n, i = As * 8 * t, a = Math.floor(n / 2) * r * r / 2, o = Math.max(1, Math.round(Rs(t, a) / As / Ns));
	return {
		contexts: t,
		units: n,
		std: r,
		rate: i,
		start: a,
		every: o,
		times: Array.from({ length: 201 }, (e, t) => t * o * i)
	};
}
var Ls = /* @__PURE__ */ new Map();
function Rs(e, t) {
	let n = `${e} ${t}`, r = Ls.get(n);
	if (r === void 0) {
		let i = Array.from({ length: 81 }, (t, n) => js * 8 * e * n / 80), { loss: a } = ys(e, zs(e, "but_one"), t, i), o = Es(i, a, ks * 4) / (8 * e);
		r = Math.min(js, Ms * o), Ls.set(n, r);
	}
	return r;
}
function zs(e, t) {
	let n = (t) => Array.from({ length: e }, (e, n) => t(n)), r = Array.from({ length: e }, (e, t) => t), i = r.map((t) => n((n) => n !== e - 1 - t)), a = r.map((e) => n((t) => t === e)), o = [n(() => !0)];
	for ((t === "but_one" || t === "all") && o.push(...i), (t === "single" || t === "all" && e > 2) && o.push(...a); o.length < Bs(e);) o.push(n(() => !1));
	return o;
}
function Bs(e) {
	return e > 2 ? 2 * e + 1 : 3;
}
var Vs;
function Hs(e, t) {
	let n = JSON.stringify([
		e.contexts,
		e.start,
		t
	]);
	return Vs?.key !== n && (Vs = {
		key: n,
		race: ys(e.contexts, t, e.start, e.times)
	}), Vs.race;
}
function* Us(e) {
	let { contexts: t, units: n, std: r, rate: i, every: a, times: o } = Is(e), s = ws(t), c = Array.from({ length: Os }, (e, t) => ss.random(s, n, r, t)), l = c.map((e) => [e.loss()]), u = Os * a * 3 * (8 * t) ** 2 * n, d = Math.max(1, Math.round(Fs / u));
	for (let e = 1; e < o.length; e++) c.forEach((e, t) => {
		for (let t = 0; t < a; t++) e.step(i);
		l[t].push(e.loss());
	}), e % d === 0 && e < o.length - 1 && (yield { losses: l.map((e) => [...e]) });
	yield {
		losses: l,
		shares: Ws(c, t)
	};
}
function Ws(e, t) {
	let n = Array(t - 1).fill(0);
	for (let r of e) {
		let i = Array(t).fill(0), a = r.sizes();
		for (let e = 0; e < r.hidden; e++) {
			let n = Array.from({ length: t }, (t, n) => {
				let i = 0;
				for (let t = 0; t < 8; t++) i += r.activity[e * r.points + n * 8 + t];
				return i;
			}), o = Math.max(...n), s = n.filter((e) => e > Ps * o).length;
			s > 0 && (i[s - 1] += a[e]);
		}
		let o = i.slice(0, -1).reduce((e, t) => e + t, 0);
		o > 0 && n.forEach((t, r) => n[r] += i[r] / o / e.length);
	}
	return n;
}
function Gs(e, t) {
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
function Ks(e, t) {
	let n = Array(t + 1).fill(0);
	for (let t of e) n[t.filter(Boolean).length]++;
	let r = [];
	n[t] && r.push(n[t] === 1 ? "a common pathway" : `${n[t]} common pathways`);
	for (let e = t - 1; e > 0; e--) {
		let t = n[e];
		if (!t) continue;
		let i = t === 1 ? "" : " each";
		r.push(`${Bo[t] ?? t} open in ${e === 1 ? "one context" : `${Bo[e]} contexts`}${i}`);
	}
	let i = r.pop();
	return i === void 0 ? "no pathway at all" : r.length ? `${r.join(", ")} and ${i}` : i;
}
function qs(e) {
	let t = Z(e, "contexts"), n = jo(e, "gates").filter((e) => e.some(Boolean)), r = new Po(9), i = r.column(4, [
		...Array.from({ length: 3 }, () => "item"),
		"…",
		...Array.from({ length: t }, (e, t) => `context ${t + 1}`)
	], "inputs", () => ({ side: "left" })), a = n.slice(0, 7), o = r.column(10, a.map((e) => e.map((e) => e ? "●" : "○").join("")), "pathways", (e) => ({
		colour: Gs(a[e].filter(Boolean).length, t).colour,
		side: "right"
	})), s = r.column(16, [
		void 0,
		void 0,
		void 0,
		void 0,
		void 0
	], "properties"), c = (e) => ({
		colour: Gs(a[e].filter(Boolean).length, t).colour,
		weight: .7
	});
	r.join(i, o, (e, t) => e < 4 || a[t].every(Boolean) ? c(t) : void 0), r.join(o, s, (e) => c(e));
	let l = n.length > a.length ? ` (${n.length - a.length} more are not drawn)` : "";
	return r.done(`Eight items in ${Bo[t]} contexts; each pathway is a linear network that is open (●) in some contexts and closed (○) in others${l}.`);
}
var Js = {
	id: "contexts",
	title: "Contexts",
	question: "Which pathways does a ReLU network share between contexts?",
	paper: {
		text: "Jarvis, Klein, Rosman and Saxe 2025, sections 4 and 5",
		href: "https://arxiv.org/abs/2503.06181"
	},
	terms: [
		"relu",
		"pathway",
		"context",
		"gating",
		"singular",
		"flow"
	],
	theory: {
		text: "Eight items have properties that all contexts share and properties that belong to one context; each block is a hierarchy. A gated network has pathways that are open in some of the contexts. A pathway that is open in all contexts sees items and contexts; the others see items only. Every pathway starts at strength nσ²/2, where n is half of the ReLU network's units, because a random unit is active at a data point with probability ½. All pathways are integrated jointly from the start. On the residual of the common pathway, pathways open in one context and pathways open in all but one would be equally fast. Pathways open in more contexts see more of the raw targets while the common pathway is still learning, so they start ahead. The gates are fixed here, but a ReLU network changes its gates. Agreement falls as the number of contexts grows.",
		equations: [
			"frac{d B_{p}}{d t} = frac{1}{N} Σ_{c∈p} ( y_{c} − Σ_{j∋c} B_{j} A_{j} ) A_{p}^{T},  N = 8 C,  \"and likewise\" A_{p}",
			"\"raw targets, open in\" k \"contexts:\"  S = frac{σ}{N} sqrt{k^{2} + k}",
			"\"residual of the common pathway:\"  S = frac{σ}{N} sqrt{k (1 − k/C)}",
			"σ^{2} = 15, 7, 3, 3, 1, 1, 1, 1"
		]
	},
	controls(e) {
		let t = typeof e.contexts == "number" ? e.contexts : 3, n = {
			kind: "grid",
			id: "gates",
			label: "Open in context",
			help: "Each row is a pathway; click where it is to be open. Empty rows are ignored.",
			rows: Array.from({ length: Bs(t) }, (e, t) => `pathway ${t + 1}`),
			columns: Array.from({ length: t }, (e, t) => `${t + 1}`),
			value: zs(t, "but_one")
		}, r = (e, t, n) => ({
			kind: "button",
			id: e,
			label: t,
			help: n,
			press: (t) => ({ gates: zs(Z(t, "contexts"), e) })
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
			r("but_one", "All but one", "A common pathway, and for each context one pathway that is closed there: the result of the paper."),
			r("single", "Single", "A common pathway, and one pathway per context that is open there only."),
			r("all", "Both kinds", "A common pathway, and both kinds in competition: closed in one context, and open in one context."),
			r("common", "Common alone", "One pathway that is always open: a linear network."),
			{
				kind: "slider",
				id: "scale",
				label: "Initial scale σN",
				help: "Standard deviation σ of the initial weights times the number N of hidden units; 0.005 in the paper.",
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
			},
			No((e) => `${Math.round(100 * e)} %`)
		];
	},
	schematic: qs,
	ask: {
		prompt: "Eight items have some properties in every context and others in one context only. Which units will a ReLU network build for the properties of a single context?",
		options: ["Units that are active in that one context", "Units that are active in all contexts but one"],
		right: (e) => {
			let t = Z(e, "contexts");
			return +(vs(t, t - 1).raw[0] > vs(t, 1).raw[0]);
		},
		because: "A unit that is active in more contexts sees more of the targets at the start, so it is ahead in the competition for the residual."
	},
	view(e, t) {
		let n = Is(e), { contexts: r, units: i, times: a } = n, o = jo(e, "gates"), s = Hs(n, o), c = o.map((e) => e.filter(Boolean).length), l = Es(a, s.loss, ks * 4), u = s.loss.at(-1), d = a.at(-1) * Z(e, "moment"), f = (t?.losses ?? []).map((e, t) => ({
			label: t ? `ReLU network, seed ${t}` : `ReLU networks, ${i} units`,
			x: a.slice(0, e.length),
			y: e,
			colour: 6,
			role: "trained",
			among: Os,
			quiet: t > 0
		})), p = t?.shares && a.map((e, n) => t.losses.reduce((e, t) => e + t[n], 0) / t.losses.length), m = p && Ds(a, s.loss, p), h = p && Es(a, p, ks * 4), g = /* @__PURE__ */ new Set(), _ = [];
		o.forEach((e, t) => {
			let n = c[t];
			if (n === 0) return;
			let i = Gs(n, r);
			_.push({
				...i,
				label: g.has(n) ? `${i.label}, pathway ${t + 1}` : i.label,
				quiet: g.has(n),
				y: s.strengths[t]
			}), g.add(n);
		});
		let v = [...g].sort((e, t) => t - e), y = g.has(r), b = v.flatMap((e) => {
			let { label: t, colour: n } = Gs(e, r), { raw: i, left: a } = vs(r, e), o = Array.from(i.keys(), (e) => e + 1), s = [{
				label: e === r ? t : `${t}, raw targets`,
				x: o,
				y: i,
				colour: n
			}];
			return y && e < r && s.push({
				label: `${t}, residual`,
				x: o.slice(0, a.length),
				y: a,
				colour: n,
				dash: e === r - 1 ? "dash" : "dot"
			}), s;
		}), x = [
			{
				id: "time",
				label: `this gating, flow time to ${Ro(ks)} of the loss`,
				value: l,
				format: Ys
			},
			...h === void 0 ? [] : [{
				id: "time_relu",
				label: "ReLU networks, flow time to the same loss",
				value: h,
				format: Ys
			}],
			{
				id: "loss_end",
				label: "this gating, final loss",
				value: u
			},
			...m === void 0 ? [] : [{
				id: "area",
				label: "area between the loss curves",
				value: m,
				format: (e) => e.toFixed(3)
			}]
		], S = v.find((e) => e < r);
		if (S !== void 0) {
			let { raw: e, left: t } = vs(r, S);
			x.push({
				id: "s_raw",
				label: `S₁, raw targets, ${Gs(S, r).label}`,
				value: e[0]
			}), y && x.push({
				id: "s_left",
				label: "S₁, residual of the common pathway",
				value: t[0]
			});
		}
		return {
			sentence: Xs(o, n, {
				learned: l,
				end: u,
				gap: m,
				taught: h
			}, t?.shares),
			numbers: x,
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
					y: { label: "loss" },
					moment: d,
					lines: [...f, {
						label: "this gating, predicted",
						y: s.loss,
						colour: 6
					}],
					marks: [{
						axis: "y",
						at: ks * 4,
						label: "learned",
						side: "left"
					}]
				},
				{
					kind: "lines",
					id: "strengths",
					title: "Strength of each pathway",
					x: {
						label: "flow time (step size × steps)",
						values: a,
						range: [0, a.at(-1)]
					},
					y: { label: "strength ‖W‖ of its map" },
					moment: d,
					lines: _
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
					lines: b
				}
			]
		};
	},
	live: {
		label: `Train ${Bo[Os]} ReLU networks`,
		key: (e) => [
			"contexts",
			"scale",
			"units"
		].map((t) => e[t]).join(),
		run: Us
	},
	python(e) {
		let { contexts: t, units: n, times: r } = Is(e), i = jo(e, "gates").filter((e) => e.some(Boolean)), a = [
			"import numpy as np",
			"import festina as fs",
			"",
			`task = fs.tasks.context(${t})`
		];
		if (!i.length) return [...a, "numbers = {\"time\": np.inf, \"loss_end\": task.statistics.power / 2}"].join("\n");
		let o = i.map((e) => e.filter(Boolean).length), s = Math.max(0, ...o.filter((e) => e < t)), c = [
			...a,
			`open_in = np.array([${i.map((e) => `[${e.map(Number).join(", ")}]`).join(", ")}])`,
			`std, units = ${Z(e, "scale")} / ${n}, ${n}`,
			"gates = np.repeat(open_in, 8, axis=1)",
			"always = open_in.all(axis=1)",
			"inputs = [None if a else range(8) for a in always]",
			`widths = [${8 + t - 1} if a else 8 for a in always]`,
			"start = fs.gated.Decoupled.expected(std, {f\"pathway {i + 1}\": units // 2 for i in range(len(gates))})",
			"network = fs.gated.pathways(gates, widths, inputs=inputs, initial=start)",
			`times = np.linspace(0, ${zo(r.at(-1))}, ${r.length})`,
			"path = fs.evolve(network, task, times, method=fs.Reduced())",
			"numbers = {",
			`    "time": float(path.first_passage(${ks} * task.statistics.power / 2)),`,
			"    \"loss_end\": float(path.loss[-1]),",
			"}"
		];
		if (s > 0) {
			let e = `pathway ${o.indexOf(s) + 1}`;
			c.push("def largest(task):", "    statistics = task.statistics(network)", `    p = [label.split(" → ")[1] for label in statistics.labels].index("${e}")`, "    return float(statistics.effective[p].strengths[0])", "numbers[\"s_raw\"] = largest(task)"), o.includes(t) && c.push("linear = np.linalg.lstsq(task.x, task.y, rcond=None)[0]", "numbers[\"s_left\"] = largest(fs.Task(task.x, task.y - task.x @ linear))");
		}
		return c.join("\n");
	}
}, Ys = (e) => Number.isFinite(e) ? e.toFixed(1) : "after the time shown";
function Xs(e, { contexts: t, times: n }, { learned: r, end: i, gap: a, taught: o }, s) {
	let c = Ks(e, t), l = Number.isFinite(r) ? `With ${c}, the gated network has learned ${Bo[t]} contexts at flow time ${r.toFixed(0)}` : `With ${c}, the gated network still has loss ${i.toFixed(2)} of 4 at flow time ${n.at(-1).toFixed(0)}`;
	if (a === void 0 || !s) return `${l}.${Vo(void 0, "", "")}`;
	let u = o !== void 0 && Number.isFinite(o) ? `, the trained ReLU networks at ${o.toFixed(0)}` : "; the trained ReLU networks have not learned in the time shown", d = s.indexOf(Math.max(...s)) + 1, f = d === 1 ? "a single context" : `${Bo[d]} contexts`;
	return `${l}${u}.${Vo(a, "They", "their units choose and change their gates, while the gated network's gates are fixed", !0)} ${Ro(s[d - 1])} of their contextual activity is in units that are active in ${f}.`;
}
//#endregion
//#region src/theory/modes.ts
var Zs = 64, Qs = 1e-9, $s = 200;
function ec(e, t, n, r) {
	let { s: i, d: a } = t;
	if (r === 1) return e.map((e) => n * Math.exp(-a * e) - i / a * Math.expm1(-a * e));
	if (r === 2) return e.map((e) => tc(e, t, n, 0)[0]);
	let o = i / a, s = n / o;
	if (r === Infinity) return ac(e, t, n);
	let c = r * i * o ** (1 - 2 / r);
	if (s === 0 || s === 1) return e.map(() => n);
	if (s < 1) {
		let t = fc(s, 2 / r - 1);
		return e.map((e) => e > 0 ? o * t(c * e) : n);
	}
	let l = fc(s, 2 - 2 / r);
	return e.map((e) => e > 0 ? o / l(c * e) : n);
}
function tc(e, { s: t, d: n }, r, i) {
	let a = r * i, o = Math.hypot(t, 2 * n * Math.sqrt(r) * Math.sqrt(i)), s = o > 0 ? Math.exp(-2 * o * e) : 1, c = o > 0 ? -Math.expm1(-2 * o * e) * n / o : n > 0 ? 2 * n * e : 0, l = o > 0 ? (t + o) / (2 * o) : .5, u = o > 0 ? 2 * n * n * a / (o * (o + t)) : .5, d = (e, t, n) => e > 0 ? (e * (t + n * s) + (a > 0 ? a * c : 0)) / (e * c + t * s + n) : 0;
	return [d(r, l, u), d(i, u, l)];
}
function nc(e, t, n, r) {
	let i = Math.hypot(r, 2 * n), a = n >= 0 ? (i + 2 * n) / 4 : r ** 2 / (4 * (i - 2 * n) || 1), o = n < 0 ? (i - 2 * n) / 4 : r ** 2 / (4 * (i + 2 * n) || 1);
	return e.map((e) => {
		let [n, r] = tc(e, t, a, o);
		return n - r;
	});
}
function rc(e, { s: t, d: n }, r, i) {
	let a = t / n;
	if (!(r <= e && e < a || r >= e && e > a) || !(r > 0 || i === 1)) return e === r ? 0 : Infinity;
	let [o, s] = [e / a, r / a];
	if (i === 1) return Math.log1p((o - s) / (1 - o)) / n;
	if (i === 2) return Math.log1p((o - s) / (s * (1 - o))) / (2 * t);
	let c = s > 1, l = lc(c ? 2 - 2 / i : 2 / i - 1), u = (e) => {
		let t = c ? Math.abs(1 - e) / e : Math.abs(1 - e);
		return l(c ? 1 / e : e, t, Math.log(t));
	};
	return (u(o) - u(s)) / ((i === Infinity ? 1 : i) * t * a ** (1 - 2 / i));
}
function ic({ s: e, d: t }, n) {
	return 1 / (t * n * (e / t) ** (2 - 2 / n));
}
function ac(e, { s: t, d: n }, r) {
	let i = t / (n * r) - 1;
	if (r === 0 || i === 0 || !Number.isFinite(i)) return e.map(() => r);
	if (i < 0) {
		let i = fc(n * r / t, 2);
		return e.map((e) => e > 0 ? t / n / i(t * t / n * e) : r);
	}
	return e.map((e) => e > 0 ? t / n / (1 + oc(Math.log(i) + i - t * t / n * e)) : r);
}
function oc(e) {
	if (e === -Infinity) return 0;
	if (e < -50) return Math.exp(e);
	let t = e < 1 ? Math.exp(Math.min(e, 0)) / (1 + Math.exp(Math.min(e, 0))) + 1e-300 : e - Math.log(e);
	for (let n = 0; n < $s; n++) {
		let n = (t + Math.log(t) - e) / (1 + t);
		if (t *= Math.exp(-n), Math.abs(n) < 1e-15 * (1 + 1 / t) || Math.abs(n) < 1e-16) break;
	}
	return t;
}
function sc(e) {
	let [t, n] = [0, e];
	for (; n < 10; n++) t -= 1 / n;
	let r = 1 / (n * n), i = r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r * (1 / 132 - r * 691 / 32760)))));
	return t + Math.log(n) - .5 / n - i;
}
function cc(e, t) {
	return Math.abs(e) > .25 ? t ** e / e : e ? Math.expm1(e * Math.log(t)) / e : Math.log(t);
}
function lc(e) {
	let t = uc.get(e);
	return t || (t = dc(e), uc.set(e, t)), t;
}
var uc = /* @__PURE__ */ new Map();
function dc(e) {
	let t = new Float64Array(Zs), n = new Float64Array(Zs), r = -.5772156649015329;
	for (let i = 0; i < Zs; i++) t[i] = r - sc(e + Math.max(i, 2)), n[i] = (e + i) / (i + 1), r += 1 / (i + 1);
	return (r, i, a) => {
		let o = 0;
		if (r < .5) {
			let t = r ** (e + 2);
			for (let n = 0; n < Zs && t > 1e-18 * o; n++) o += t / (e + 2 + n), t *= r;
		} else {
			let s = 1;
			o = i;
			for (let e = 0; e < Zs; e++) {
				let r = s * (t[e] - a);
				if (o += r, s *= n[e] * i, e > 2 && Math.abs(r) < 1e-18 * Math.abs(o)) break;
			}
			o *= r ** e;
		}
		return cc(e, r) + cc(e + 1, r) + o;
	};
}
function fc(e, t) {
	let n = lc(t), r = e > 1 ? (e - 1) / e : 1 - e, i = e > 1 ? 1 / e : e, a = Math.log(i) - Math.log(r), o = n(i, r, Math.log(r));
	return (e) => {
		if (e === Infinity) return 1;
		let s = e * i ** -t;
		if (!(s > 1e-9)) return i + i * r * s;
		let c = a + Math.min(e, s), l = a + Math.max(e, s), u = i ** t + t * e, d = u > 0 ? Math.log(u) / (t || 1) : 0;
		d = u > 0 && d < 0 ? d - Math.log1p(-Math.exp(Math.min(d, -1e-12))) : e + a;
		let f = Math.min(Math.max(Number.isFinite(d) ? d : a, c), l), p = i;
		for (let r = 0; r < $s; r++) {
			let r = 1 / (1 + Math.exp(-f)), i = 1 / (1 + Math.exp(f)), a = n(r, i, f > 0 ? -f - Math.log1p(Math.exp(-f)) : -Math.log1p(Math.exp(f))) - (o + e), s = a * r ** -t;
			p = r - r * i * s, a <= 0 && (c = f), a >= 0 && (l = f);
			let u = f - s;
			if (!(Math.abs(s) > Qs + 4 * 2 ** -52 * Math.abs(f))) break;
			f = u >= c && u <= l ? u : .5 * (c + l);
		}
		return p;
	};
}
//#endregion
//#region src/theory/attention.ts
function pc({ eigenvalues: e, length: t }) {
	let n = e.reduce((e, t) => e + t, 0), r = e.map((e) => e ** 2), i = e.map((e, i) => r[i] * ((1 + 1 / t) * e + n / t));
	return {
		s: r,
		c: i,
		ends: r.map((e, t) => e / i[t]),
		trace: n
	};
}
function mc(e, t) {
	return Math.abs(e) < 1e-14 * t ? 0 : e;
}
function hc(e) {
	let { s: t, ends: n, trace: r } = pc(e), i = [.5 * r];
	return t.forEach((e, t) => i.push(i[t] - .5 * e * n[t])), i.map((e) => mc(e, r));
}
function gc({ eigenvalues: e }, t, n) {
	let { s: r, c: i, trace: a } = pc({
		eigenvalues: e,
		length: n
	}), o = e.length, s = a;
	for (let n = 0; n < o; n++) {
		s -= 2 * r[n] * t[n * o + n];
		for (let r = 0; r < o; r++) s += t[n * o + r] ** 2 * (i[n] / e[n]) * e[r];
	}
	return mc(.5 * s, a);
}
function _c(e, t) {
	let { eigenvalues: n } = e, { c: r, ends: i, trace: a } = pc(e), o = n.length;
	return Array.from({ length: o + 1 }, (e, s) => {
		let c = 0;
		for (let e = 0; e < o; e++) for (let a = 0; a < o; a++) {
			let l = t[e * o + a] - (e === a && e < s ? i[e] : 0);
			c += l * l * (r[e] / n[e]) * n[a];
		}
		return c / a;
	});
}
function vc(e) {
	let t = e.length;
	return Array.from({ length: t * t }, (n, r) => r % (t + 1) ? 0 : e[r / (t + 1)]);
}
function yc({ s: e, c: t, start: n }, r) {
	return ec(r, {
		s: e,
		d: t
	}, n, 3);
}
function bc({ s: e, c: t, start: n }, r) {
	return rc(r * e / t, {
		s: e,
		d: t
	}, n, 3);
}
function xc(e, t, n) {
	let { s: r, c: i } = pc(e);
	return r.slice(0, t).map((e, t) => ({
		component: t,
		head: t,
		s: e,
		c: i[t],
		start: n ** 3
	}));
}
function Sc(e) {
	let t = 0;
	for (let n = 0; n + 1 < e.length; n++) {
		let r = bc(e[n + 1], .5) - bc(e[n], .5);
		t = Math.max(t, (bc(e[n], .9) - bc(e[n], .1)) / Math.max(r, 1e-300));
	}
	return t;
}
var Cc = (e, t, n) => Array.from({ length: n }, (r, i) => e * (t / e) ** (i / (n - 1))), wc = [
	...Cc(1e-4, .02, 16).slice(0, -1),
	...Array.from({ length: 97 }, (e, t) => .02 + .01 * t),
	...Cc(.02, 1e-6, 16).slice(1).map((e) => 1 - e)
], Tc = 400, Ec = 400, Dc = 1e-8;
function Oc(e, t) {
	if (t <= e[0]) return wc[0];
	let n = e.length - 1;
	if (t >= e[n]) return wc[n];
	let [r, i] = [0, n];
	for (; i - r > 1;) {
		let n = r + i >> 1;
		e[n] <= t ? r = n : i = n;
	}
	return wc[r] + (wc[i] - wc[r]) * (t - e[r]) / (e[i] - e[r]);
}
function kc(e, t) {
	let { s: n, c: r, ends: i } = pc(e), a = Math.sqrt(3) * Math.cbrt(Math.max(...i)), o = new Map(t.value.map((e, n) => [n, [
		e,
		...t.key[n],
		...t.query[n]
	]])), s = [], c = [];
	for (; o.size && s.length < n.length;) {
		let e;
		for (let [t, r] of o) {
			let i = Ac(r, n, s, a);
			(!e || i.time < e.time) && (e = {
				head: t,
				...i
			});
		}
		if (!e || !Number.isFinite(e.time)) break;
		let t = e.unit.slice(1, 1 + n.length).map((e, t) => s.some(({ component: e }) => e === t) ? 0 : Math.abs(e)), i = t.indexOf(Math.max(...t)), l = {
			component: i,
			head: e.head,
			s: n[i],
			c: r[i],
			start: (n[i] * e.time) ** -3,
			time: e.time
		};
		c.push(l), s.push({
			component: i,
			times: wc.map((e) => e * l.s <= l.start * l.c ? 0 : bc(l, e))
		}), o.delete(e.head);
	}
	return c.sort((e, t) => e.time - t.time);
}
function Ac(e, t, n, r) {
	let i = Math.sqrt(e.reduce((e, t) => e + t * t, 0)), a = t.length, o = t.map((e, t) => n.some(({ component: e }) => e === t) ? 0 : e), s = Math.max(...o);
	if (i === 0 || s === 0) return {
		time: Infinity,
		unit: e
	};
	let [c, l] = [2 * a + 1, new Float64Array(a)], u = (e, t, n) => {
		let r = 0;
		for (let i = 0; i < a; i++) {
			let [o, s] = [e[1 + i], e[1 + a + i]];
			r += o * t[i] * s, n[1 + i] = e[0] * t[i] * s, n[1 + a + i] = e[0] * t[i] * o;
		}
		n[0] = r;
		let i = 0;
		for (let t = 0; t < c; t++) i += e[t] * n[t];
		return i;
	}, d = (e, r) => {
		for (let e = 0; e < a; e++) l[e] = t[e];
		for (let { component: r, times: a } of n) l[r] -= t[r] * Oc(a, e[c + 1] / i);
		let o = u(e, l, r);
		for (let t = 0; t < c; t++) r[t] -= o * e[t];
		r[c] = o, r[c + 1] = Math.exp(-e[c]);
	}, f = Math.log(r / i), p = Float64Array.from([
		...e.map((e) => e / i),
		0,
		0
	]), m = p;
	for (let e = Tc / s, t = 0; t < 2; t++, e /= Ec) {
		let t = Array.from({ length: 401 }, (t, n) => e * n / Ec);
		if (ps(d, p, t, Dc, Dc * .001, (e, t) => (p = m, m = t.slice(), t[c] >= f)), m[c] < f) break;
	}
	let h = u(m, o, new Float64Array(c)), g = Array.from(m.subarray(0, c));
	return h <= 1e-6 * s ? {
		time: Infinity,
		unit: g
	} : {
		time: (m[c + 1] + Math.exp(-m[c]) / h) / i,
		unit: g
	};
}
var jc = 5, Mc = [
	"2",
	"8",
	"32",
	"128",
	"inf"
];
function Nc(e, t) {
	let n = Array.from({ length: e }, (e, n) => t ** n), r = n.reduce((e, t) => e + t, 0);
	return n.map((t) => e * t / r);
}
function Pc(e) {
	let [t, n, r] = [
		Z(e, "dimension"),
		Z(e, "heads"),
		Z(e, "start")
	], i = Ao(e, "length"), a = {
		eigenvalues: Nc(t, Z(e, "ratio")),
		length: i === "inf" ? Infinity : Number(i)
	}, o = Ao(e, "weights") === "random", s = So(jc), c = () => Array.from({ length: t }, () => Number((r * s()).toPrecision(6))), l = (e) => Array.from({ length: t }, (t, n) => n === e ? r : 0), u = Array.from({ length: n }, (e, n) => o ? {
		key: c(),
		query: c(),
		value: c()[0]
	} : {
		key: l(n),
		query: l(n),
		value: n < t ? r : 0
	});
	return {
		task: a,
		start: r,
		random: o,
		heads: {
			key: u.map(({ key: e }) => e),
			query: u.map(({ query: e }) => e),
			value: u.map(({ value: e }) => e)
		}
	};
}
function Fc({ setting: { task: e }, wins: t }, n) {
	let r = e.eigenvalues.map(() => n.map(() => 0));
	for (let e of t) yc(e, n).forEach((t, n) => r[e.component][n] += t);
	return r;
}
function Ic(e, t, n) {
	return gc(e, vc(t.map((e) => e[n])), e.length);
}
var Lc = (e) => [
	"dimension",
	"ratio",
	"length",
	"heads",
	"start",
	"weights"
].map((t) => e[t]).join(" "), Rc;
function zc(e) {
	let t = Lc(e);
	if (Rc?.key !== t) {
		let n = Pc(e), { task: r, heads: i, start: a, random: o } = n, s = o ? kc(r, i) : xc(r, i.value.length, a), c = s.map((e) => bc(e, .5)), l = (e) => e.filter((e) => Number.isFinite(e) && e > 0), u = 1.4 * (Math.max(...l(s.map((e) => bc(e, .99))), 0) || 1), d = Math.min(.15 * Math.min(...l(c), u), .02 * u), f = Array.from({ length: 241 }, (e, t) => d * (u / d) ** (t / 240)), p = Fc({
			setting: n,
			wins: s
		}, f);
		Rc = {
			key: t,
			solution: {
				setting: n,
				wins: s,
				halves: c,
				times: f,
				strengths: p,
				loss: f.map((e, t) => Ic(r, p, t)),
				levels: hc(r),
				ends: pc(r).ends
			}
		};
	}
	return Rc.solution;
}
//#endregion
//#region src/learn/attention.ts
var Bc = class {
	task;
	value;
	key;
	query;
	map;
	size;
	s;
	b;
	gradient;
	up;
	down;
	constructor(e, { value: t, key: n, query: r }) {
		this.task = e, this.size = e.eigenvalues.length, this.value = Float64Array.from(t), this.key = Float64Array.from(n.flat()), this.query = Float64Array.from(r.flat());
		let { s: i, c: a } = pc(e);
		this.s = i, this.b = a.map((t, n) => t / e.eigenvalues[n]), this.map = new Float64Array(this.size ** 2), this.gradient = new Float64Array(this.size ** 2), this.up = new Float64Array(this.size), this.down = new Float64Array(this.size), this.refresh();
	}
	refresh() {
		let { size: e, value: t, key: n, query: r, map: i } = this;
		i.fill(0);
		for (let a = 0; a < t.length; a++) for (let o = 0; o < e; o++) {
			let s = t[a] * n[a * e + o];
			for (let t = 0; t < e; t++) i[o * e + t] += s * r[a * e + t];
		}
		for (let t = 0; t < e; t++) for (let n = 0; n < e; n++) this.gradient[t * e + n] = (t === n ? this.s[t] : 0) - this.b[t] * i[t * e + n] * this.task.eigenvalues[n];
	}
	step(e) {
		let { size: t, value: n, key: r, query: i, gradient: a, up: o, down: s } = this;
		for (let c = 0; c < n.length; c++) {
			let [l, u] = [n[c], c * t], d = 0;
			o.fill(0), s.fill(0);
			for (let e = 0; e < t; e++) for (let n = 0; n < t; n++) {
				let c = a[e * t + n];
				o[e] += c * i[u + n], s[n] += c * r[u + e];
			}
			for (let n = 0; n < t; n++) d += r[u + n] * o[n], r[u + n] += e * l * o[n], i[u + n] += e * l * s[n];
			n[c] += e * d;
		}
		this.refresh();
	}
}, Vc = 200, Hc = 4e5, Uc = 2e4;
function* Wc(e) {
	let t = zc(e), { setting: n, times: r } = t, { task: i, heads: a } = n, { c: o, ends: s } = pc(i), c = new Bc(i, a), l = r[r.length - 1], u = Math.max(...a.value.map(Math.abs), ...a.key.flat().map(Math.abs), ...a.query.flat().map(Math.abs)), d = Math.max(...o.map((e, t) => 3 * e * Math.max(s[t] ** (4 / 3), a.value.length * u ** 4))), f = Math.min(Math.max(.05 / d, Math.min(l / Hc, .2 / d)), l / 500), p = Math.ceil(l / f), m = {
		times: [],
		loss: [],
		maps: [],
		expected: []
	}, h = (e) => {
		let n = Array.from(c.map);
		m.times.push(e * f), m.loss.push(gc(i, n, i.length)), m.maps.push(n), m.expected.push(Ic(i, Fc(t, [e * f]), 0));
	}, g = (l / r[0]) ** (1 / Vc), _ = 0;
	for (let e = 0; e <= p; e++) (e >= _ || e === p) && (h(e), _ = Math.max(e + 1, Math.ceil(r[0] / f), Math.round(e * g))), e < p && c.step(f), (e + 1) % Uc === 0 && (yield { ...m });
	yield { ...m };
}
//#endregion
//#region src/topics/in_context.ts
var Gc = Array.from({ length: 49 }, (e, t) => 2 ** (t / 6)), Kc = .5;
function qc(e, t) {
	let { setting: n, halves: r, times: i, strengths: a, loss: o, levels: s, ends: c } = zc(e), { task: l } = n, u = Math.round(Z(e, "moment") * 240), d = {
		label: "flow time",
		values: i,
		log: !0,
		range: [i[0], i[240]]
	}, f = i[u], p = l.eigenvalues.length, m = vc(a.map((e) => e[u])), h = t && t.times.length > 2 ? t : void 0, g = h ? h.times.findIndex((e) => e >= .999 * f) : -1, _ = g >= 0 ? h.maps[g] : void 0, v = h && Ds(h.times, h.expected, h.loss), y = (e) => `component ${e + 1} (λ = ${Q(l.eigenvalues[e])})`, b = i.map((e, t) => _c(l, vc(a.map((e) => e[t])))), x = h?.maps.map((e) => _c(l, e)), S = (e, t, n = "trained attention", r = !0) => ({
		label: n,
		x: h.times.slice(1),
		y: e.slice(1),
		colour: t,
		role: "trained",
		quiet: r
	}), C = [
		{
			id: "first",
			label: "first component half learned",
			value: r[0],
			unit: "flow time"
		},
		{
			id: "last",
			label: "last component half learned",
			value: r[r.length - 1],
			unit: "flow time"
		},
		{
			id: "plateau",
			label: "loss after the first drop",
			value: s[1]
		},
		{
			id: "least",
			label: "lowest possible loss",
			value: s[p]
		},
		{
			id: "loss",
			label: "loss at this time",
			value: o[u]
		},
		...v === void 0 ? [] : [{
			id: "area",
			label: "area between prediction and network (∫|ΔL|/∫L)",
			value: v
		}]
	], w = [
		{
			kind: "lines",
			id: "loss",
			title: "Loss, and its predicted plateaus",
			wide: !0,
			x: d,
			y: { label: "loss" },
			moment: f,
			lines: [...h ? [S(h.loss, 6, "trained attention", !1)] : [], {
				label: "prediction",
				y: o,
				colour: 6
			}],
			marks: s.map((e, t) => ({
				axis: "y",
				at: e,
				label: t === 0 ? "nothing learned" : `${Bo[t] ?? t} learned`,
				...t ? {
					colour: 7 + t - 1,
					side: "left"
				} : {}
			}))
		},
		{
			kind: "lines",
			id: "strengths",
			title: "Strength of each principal component",
			x: d,
			y: { label: "strength eᵀMe" },
			moment: f,
			lines: [...h ? l.eigenvalues.map((e, t) => S(h.maps.map((e) => e[t * p + t]), 7 + t)) : [], ...a.map((e, t) => ({
				label: y(t),
				y: e,
				colour: 7 + t
			}))]
		},
		{
			kind: "lines",
			id: "distance",
			title: "Distance from regression on the first m components",
			x: d,
			y: {
				label: "⟨(ŷ − ŷₘ)²⟩ / ⟨y²⟩",
				range: [0, Math.max(...b.map((e) => Math.max(...e))) * 1.05]
			},
			moment: f,
			lines: Array.from({ length: p }, (e, t) => t + 1).flatMap((e) => [...x ? [S(x.map((t) => t[e]), 7 + e - 1)] : [], {
				label: e === 1 ? "m = 1" : `m = ${e}`,
				y: b.map((t) => t[e]),
				colour: 7 + e - 1
			}])
		},
		...[["predicted", m], ["trained", _]].flatMap(([e, t]) => t ? [{
			kind: "heat",
			id: `map_${e}`,
			title: e === "predicted" ? "Predicted map M at this time" : "Trained attention's map M",
			label: "entry of M",
			matrix: Array.from({ length: p }, (e, n) => Array.from({ length: p }, (e, r) => t[n * p + r])),
			rows: l.eigenvalues.map((e, t) => `e${t + 1}`),
			columns: l.eigenvalues.map((e, t) => `e${t + 1}`),
			bound: Math.max(...c)
		}] : []),
		{
			kind: "lines",
			id: "risk",
			title: "Loss with n examples in the context, at this time",
			wide: !0,
			x: {
				label: "examples n",
				values: Gc,
				log: !0,
				range: [1, 256]
			},
			y: { label: "loss" },
			lines: [
				..._ ? [{
					label: "trained attention",
					y: Gc.map((e) => gc(l, _, e)),
					colour: 6,
					role: "trained"
				}] : [],
				{
					label: "prediction",
					y: Gc.map((e) => gc(l, m, e)),
					colour: 6
				},
				{
					label: "at the end of learning",
					y: Gc.map((e) => gc(l, vc(c), e)),
					colour: 2,
					role: "reference",
					dash: "dash"
				}
			],
			marks: Number.isFinite(l.length) ? [{
				axis: "x",
				at: l.length,
				label: `N = ${l.length}`
			}] : []
		}
	];
	return {
		sentence: Jc(e, v),
		numbers: C,
		charts: w
	};
}
function Jc(e, t) {
	let { setting: n, wins: r, halves: i, levels: a } = zc(e), { task: o, random: s } = n, c = o.eigenvalues.length, l = n.heads.value.length, u = r.every(({ component: e }, t) => e === t) ? ", the largest variance first," : "", d = Sc(r) <= Kc, f = i.map(Q).join(", "), p = r.length === 1 ? "one principal component" : `${Bo[r.length]} principal components`;
	return `${`${l === 1 ? "One head learns" : `${Bo[l] ?? l} heads learn`} ${p} of the inputs`.replace(/^./, (e) => e.toUpperCase())}${r.length < 2 ? `, half of it by t = ${f}` : d ? ` one after another${u} each half learned at t = ${f}` : `${u} but so close together (t = ${f}) that the drops overlap and leave almost no plateaus`}${r.length < c ? `; the loss ends at ${Q(a[r.length])}, above the lowest possible ${Q(a[c])}, because a head of rank one can hold only one component` : `; the loss ends at the lowest possible value, ${Q(a[c])}`}.${Vo(t, "The trained attention", s ? "heads of this size interact before they have turned to a component" : "the training step is not small")}`;
}
function Yc(e) {
	let { task: t, heads: n } = Pc(e), r = n.value.length, i = [
		"x₁ y₁",
		"x₂ y₂",
		"…",
		Number.isFinite(t.length) ? `x y (${t.length})` : "x y (∞)",
		"query x"
	], a = i.map((e, t) => ({
		x: 5,
		y: 1 + 1.7 * t,
		shape: "square",
		label: e,
		side: "left",
		...t === 4 ? { colour: 1 } : {}
	})), o = [], s = Math.min(1.7, 6.8 / Math.max(1, r - 1));
	for (let e = 0; e < r; e++) {
		let t = a.length;
		a.push({
			x: 10,
			y: 4.4 + s * (e - (r - 1) / 2),
			colour: e % 6
		}), i.forEach((n, r) => o.push({
			from: r,
			to: t,
			colour: e % 6,
			weight: .6
		})), o.push({
			from: t,
			to: i.length + r,
			colour: e % 6
		});
	}
	return a.push({
		x: 15,
		y: 4.4,
		label: "ŷ",
		side: "right"
	}), {
		caption: `Each sequence shows examples of a new regression, then a query; ${r === 1 ? "one head" : `${Bo[r] ?? r} heads`} of linear attention must answer it from the context.`,
		nodes: a,
		links: o,
		words: [
			{
				x: 5,
				y: 9.6,
				text: "sequence"
			},
			{
				x: 10,
				y: 9.6,
				text: "heads v k qᵀ"
			},
			{
				x: 15,
				y: 9.6,
				text: "answer"
			}
		]
	};
}
var Xc = {
	id: "in_context",
	title: "Attention",
	question: "How does attention learn to learn from the examples in its context?",
	paper: {
		text: "Zhang, Singh, Latham and Saxe 2025, Training dynamics of in-context learning in linear attention",
		href: "https://arxiv.org/abs/2501.16265"
	},
	terms: [
		"attention",
		"component",
		"strength",
		"saddle",
		"loss",
		"flow",
		"area"
	],
	theory: {
		text: "Every sequence shows N examples of a new linear regression and then a query. Attention without softmax answers with one matrix M between the correlation b of the examples and the query. With separate key and query of rank one, each head is a chain of three layers. From small weights the network waits at a saddle, learns the principal component of largest variance, waits at the next saddle, and so on. After m drops of the loss it performs regression on the first m principal components in context. If each head starts on one component, the solution is exact. From random weights, a head turns to a component while it is small. The time at which it would diverge gives the initial strength of its chain.",
		equations: [
			"ŷ = b^{T} M x_{q},  b = frac{1}{N} Σ_{n} y_{n} x_{n},  M = Σ_{h} v_{h} k_{h} q_{h}^{T}",
			"frac{d u_{d}}{d t} = 3 u_{d}^{4/3} (s_{d} − c_{d} u_{d}),  s_{d} = λ_{d}^{2},  c_{d} = λ_{d}^{2} ( (1 + frac{1}{N}) λ_{d} + frac{Tr Λ}{N} )",
			"L_{m} = frac{1}{2} ( Tr Λ − Σ_{d ≤ m} frac{s_{d}^{2}}{c_{d}} )"
		]
	},
	controls: [
		{
			kind: "slider",
			id: "dimension",
			label: "Dimension D",
			min: 2,
			max: 5,
			step: 1,
			value: 3,
			help: "Number of input dimensions, which is also the number of principal components."
		},
		{
			kind: "slider",
			id: "ratio",
			label: "Ratio of neighbouring variances",
			min: .4,
			max: .9,
			step: .05,
			value: .6,
			help: "Variance of each principal component divided by that of the one before; the mean variance is one.",
			format: (e) => e.toFixed(2)
		},
		{
			kind: "choice",
			id: "length",
			label: "Examples N in a sequence",
			value: "32",
			options: Mc.map((e) => ({
				value: e,
				label: e === "inf" ? "∞" : e
			})),
			help: "With few examples the correlation b is noisy, and the best answer shrinks."
		},
		{
			kind: "slider",
			id: "heads",
			label: "Heads",
			min: 1,
			max: 8,
			step: 1,
			value: 4,
			help: "Each head has rank one and can hold one principal component."
		},
		{
			kind: "slider",
			id: "start",
			label: "Size of initial weights σ",
			min: .01,
			max: .1,
			step: .05,
			value: .02,
			log: !0,
			help: "Standard deviation of random weights, or the size of value, key and query if heads start on the components."
		},
		{
			kind: "choice",
			id: "weights",
			label: "Initial heads",
			value: "random",
			options: [{
				value: "random",
				label: "random"
			}, {
				value: "aligned",
				label: "on the components"
			}],
			help: "On the components the prediction is exact. For random heads it is an approximation for small weights: the heads compete for components."
		},
		No((e) => `${Math.round(100 * e)} %`)
	],
	schematic: Yc,
	ask: {
		prompt: "The network must solve a new regression in every sequence. How will its loss fall while it learns to do this?",
		options: [
			"Smoothly from the beginning",
			"In one drop, when it understands the task",
			"In steps, one for each principal component of the inputs"
		],
		right: (e) => {
			let { wins: t } = zc(e);
			return t.length < 2 ? void 0 : Sc(t) <= Kc ? 2 : 0;
		},
		because: "Key, query and value of a head multiply each other, so a head grows slowly while it is small and then suddenly. The component of largest variance gives the strongest gradient."
	},
	view: qc,
	live: {
		label: "Train linear attention",
		key: Lc,
		run: Wc
	},
	python: (e) => {
		let { task: t, heads: n, random: r, start: i } = Pc(e), { times: a } = zc(e), o = Math.round(Z(e, "moment") * 240), [s, c] = [t.eigenvalues.length, Number.isFinite(t.length) ? t.length : "math.inf"], l = (e) => JSON.stringify(e), u = r ? `fs.initial.Weights([np.array(${l(n.query)}), np.array(${l(n.key)}), np.array(${l([n.value])})])` : `fs.attention.AlignedHeads(${i} ** 3)`;
		return [
			"import math",
			"",
			"import numpy as np",
			"",
			"import festina as fs",
			"",
			`variances = ${Z(e, "ratio")} ** np.arange(${s})`,
			`task = fs.tasks.in_context_regression(${s} * variances / variances.sum(), length=${c})`,
			`initial = ${u}`,
			`network = fs.LinearAttention(heads=${n.value.length}, initial=initial)`,
			`method = ${Ao(e, "weights") === "random" ? "fs.Reduced()" : "fs.Exact()"}`,
			`path = fs.evolve(network, task, [0.0, ${zo(a[o])}], method=method)`,
			"levels = task.plateaus",
			...r ? ["half = path.notes[\"times\"]"] : [`s, ends = task.eigenvalues[:${n.value.length}] ** 2, task.final_strengths[:${n.value.length}]`, `half = fs.linear.time_to_strength(0.5 * ends, s, s / ends, ${i} ** 3, 3)`],
			"numbers = {",
			"    \"first\": float(half[0]),",
			"    \"last\": float(half[-1]),",
			"    \"plateau\": float(levels[1]),",
			"    \"least\": float(levels[-1]),",
			"    \"loss\": float(path.loss[-1]),",
			"}"
		].join("\n");
	}
};
//#endregion
//#region src/theory/matrix.ts
function $(e, t) {
	return {
		rows: e,
		columns: t,
		data: new Float64Array(e * t)
	};
}
function Zc(e) {
	let t = $(e, e);
	for (let n = 0; n < e; n++) t.data[n * e + n] = 1;
	return t;
}
function Qc(e) {
	let t = $(e.length, e[0]?.length ?? 0);
	return e.forEach((e, n) => t.data.set(e, n * t.columns)), t;
}
function $c(e) {
	return Array.from({ length: e.rows }, (t, n) => Array.from(e.data.subarray(n * e.columns, (n + 1) * e.columns)));
}
function el(e) {
	return {
		rows: e.rows,
		columns: e.columns,
		data: e.data.slice()
	};
}
function tl(e, t) {
	return Array.from({ length: e.rows }, (n, r) => e.data[r * e.columns + t]);
}
function nl(e) {
	let t = $(e.columns, e.rows);
	for (let n = 0; n < e.rows; n++) for (let r = 0; r < e.columns; r++) t.data[r * e.rows + n] = e.data[n * e.columns + r];
	return t;
}
function rl(e, t, n = $(e.rows, t.columns)) {
	let { rows: r, columns: i } = e, a = t.columns, o = n.data;
	o.fill(0);
	for (let n = 0; n < r; n++) for (let r = 0; r < i; r++) {
		let s = e.data[n * i + r];
		if (s !== 0) for (let e = 0; e < a; e++) o[n * a + e] += s * t.data[r * a + e];
	}
	return n;
}
function il(e, t, n = $(e.columns, t.columns)) {
	let r = n.data;
	r.fill(0);
	for (let n = 0; n < e.rows; n++) for (let i = 0; i < e.columns; i++) {
		let a = e.data[n * e.columns + i];
		if (a !== 0) for (let e = 0; e < t.columns; e++) r[i * t.columns + e] += a * t.data[n * t.columns + e];
	}
	return n;
}
function al(e, t, n = $(e.rows, t.rows)) {
	let r = e.columns;
	for (let i = 0; i < e.rows; i++) for (let a = 0; a < t.rows; a++) {
		let o = 0;
		for (let n = 0; n < r; n++) o += e.data[i * r + n] * t.data[a * r + n];
		n.data[i * t.rows + a] = o;
	}
	return n;
}
function ol(e, t) {
	return {
		rows: e.rows,
		columns: e.columns,
		data: e.data.map((e) => t * e)
	};
}
function sl(e, t) {
	let n = 0;
	for (let r = 0; r < e.data.length; r++) n += e.data[r] * t.data[r];
	return n;
}
function cl(e) {
	let t = 0;
	for (let n = 0; n < Math.min(e.rows, e.columns); n++) t += e.data[n * e.columns + n];
	return t;
}
function ll(e, t, n, r, i, a, o) {
	for (let s = 0; s < n; s++) {
		let n = e[s * t + r], c = e[s * t + i];
		e[s * t + r] = a * n - o * c, e[s * t + i] = o * n + a * c;
	}
}
var ul = 60;
function dl(e, t) {
	let n = e / (2 * t), r = Math.abs(n) > 1e150 ? Math.abs(n) : Math.sqrt(1 + n * n);
	return (n >= 0 ? 1 : -1) / (Math.abs(n) + r);
}
function fl(e) {
	let t = e.rows, n = el(e), r = Zc(t), i = (e, r) => n.data[e * t + r];
	for (let e = 0; e < ul; e++) {
		let e = !1;
		for (let a = 0; a < t - 1; a++) for (let o = a + 1; o < t; o++) {
			let s = i(a, o);
			if (Math.abs(s) <= 2 ** -52 * .25 * Math.sqrt(Math.abs(i(a, a) * i(o, o))) || s === 0 || Math.abs(s) < 1e-300) continue;
			e = !0;
			let c = dl(i(o, o) - i(a, a), s), l = 1 / Math.sqrt(1 + c * c), u = c * l;
			ll(n.data, t, t, a, o, l, u);
			for (let e = 0; e < t; e++) {
				let r = i(a, e), s = i(o, e);
				n.data[a * t + e] = l * r - u * s, n.data[o * t + e] = u * r + l * s;
			}
			n.data[a * t + o] = n.data[o * t + a] = 0, ll(r.data, t, t, a, o, l, u);
		}
		if (!e) break;
	}
	let a = Array.from({ length: t }, (e, t) => t).sort((e, t) => i(t, t) - i(e, e));
	return {
		values: Float64Array.from(a, (e) => i(e, e)),
		vectors: pl(r, a)
	};
}
function pl(e, t) {
	let n = $(e.rows, t.length);
	for (let r = 0; r < e.rows; r++) t.forEach((i, a) => n.data[r * t.length + a] = e.data[r * e.columns + i]);
	return n;
}
function ml(e) {
	if (e.rows < e.columns) {
		let { left: t, values: n, right: r } = ml(nl(e));
		return {
			left: r,
			values: n,
			right: t
		};
	}
	let { rows: t, columns: n } = e, r = el(e), i = Zc(n);
	for (let e = 0; e < ul; e++) {
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
			let u = dl(c - s, l), d = 1 / Math.sqrt(1 + u * u);
			ll(r.data, n, t, a, o, d, u * d), ll(i.data, n, n, a, o, d, u * d);
		}
		if (!e) break;
	}
	let a = Array.from({ length: n }, (e, t) => Math.hypot(...tl(r, t))), o = a.map((e, t) => t).sort((e, t) => a[t] - a[e]), s = Float64Array.from(o, (e) => a[e]), c = pl(r, o), l = 2 ** -52 * Math.max(t, n) * (s[0] ?? 0), u = [];
	for (let e = 0; e < n; e++) {
		s[e] > l && u.push(e);
		for (let r = 0; r < t; r++) c.data[r * n + e] /= s[e] > l ? s[e] : Infinity;
	}
	return {
		left: hl(c, u),
		values: s,
		right: pl(i, o)
	};
}
function hl(e, t) {
	let n = el(e), r = [...t], i = 0;
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
function gl(e) {
	let t = ml(e), n = (e) => {
		let t = $(e.rows, e.rows);
		for (let n = 0; n < e.rows; n++) for (let r = 0; r < e.columns; r++) t.data[n * e.rows + r] = e.data[n * e.columns + r];
		return hl(t, Array.from({ length: e.columns }, (e, t) => t));
	};
	return {
		left: n(t.left),
		values: t.values,
		right: n(t.right)
	};
}
function _l(e, t = $(e.rows, e.columns)) {
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
//#region src/theory/riccati.ts
var vl = 4 * 2 ** -52;
function yl({ first: e, second: t, cross: n, curvature: r, lambda: i }) {
	let { left: a, values: o, right: s } = gl(n), c = o[0] ?? 0, l = 2 ** -52 * Math.max(n.rows, n.columns) * c, u = o.map((e) => e > l ? e : 0);
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
		qv: ol(il(s, nl(e)), m),
		qu: ol(il(a, t), m)
	};
}
function bl(e) {
	return Math.sqrt(sl(e, e));
}
function xl(e, t) {
	let { s: n, qv: r, qu: i } = e, a = n.length, o = r.columns, [s, c] = t >= 0 ? [e.small, e.large] : [e.large, e.small], l = i.rows > a ? i : r, u = i.rows > a ? t / 2 : -t / 2, d = a + a + l.rows - a, f = $(d, o), p = new Float64Array(d), m = new Float64Array(d), h = new Float64Array(d), [g, _] = [bl(r), bl(i)], v = vl * Math.sqrt(d), y = Math.abs(t) / 2;
	for (let e = 0; e < a; e++) {
		for (let t = 0; t < o; t++) {
			let [n, l] = [r.data[e * o + t], i.data[e * o + t]];
			f.data[e * o + t] = s[e] * n + c[e] * l, f.data[(a + e) * o + t] = c[e] * n - s[e] * l;
		}
		p[e] = v * (s[e] * g + c[e] * _), p[a + e] = v * (c[e] * g + s[e] * _), h[e] = Math.hypot(n[e], y), h[a + e] = -h[e], m[e] = m[a + e] = h[e] > 0 ? n[e] * (n[e] / (h[e] + y)) : 0;
	}
	for (let e = a; e < l.rows; e++) f.data.set(l.data.subarray(e * o, (e + 1) * o), (a + e) * o), p[a + e] = v * bl(l), h[a + e] = u;
	return {
		m: f,
		noise: p,
		grows: Array.from({ length: d }, (e, t) => t < a ? h[t] > 0 : t >= 2 * a && u > 0),
		excess: m,
		phi: h
	};
}
function Sl({ m: e, noise: t, grows: n, excess: r, phi: i }) {
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
		let r = d.length, i = e.map((e) => Tl(p(e), d)), a = e.map((e) => t[e] + El(p(e), d, f, p, t)), s = new Set(e.keys());
		for (let e of [...s]) wl(i[e]) > a[e] || s.delete(e);
		for (; s.size && d.length < o;) {
			let t = [...s].reduce((e, t) => wl(i[t]) > wl(i[e]) ? t : e), n = wl(i[t]);
			if (!(n > a[t])) break;
			let o = i[t].map((e) => e / n);
			d.push(o), f.push(e[t]), s.delete(t);
			for (let e of s) i[e] = Tl(i[e], d.slice(r));
		}
	});
	let m = $(d.length, a);
	return d.forEach((e, t) => {
		for (let n = 0; n < a; n++) m.data[t * a + n] = u[n] < u[f[t]] ? 0 : Cl(e, p(n));
	}), {
		hat: m,
		leads: f
	};
}
function Cl(e, t) {
	let n = 0;
	for (let r = 0; r < e.length; r++) n += e[r] * t[r];
	return n;
}
function wl(e) {
	return Math.sqrt(Cl(e, e));
}
function Tl(e, t) {
	let n = Float64Array.from(e);
	for (let e = 0; e < 2; e++) {
		let e = t.map((e) => Cl(n, e));
		t.forEach((t, r) => {
			for (let i = 0; i < n.length; i++) n[i] -= e[r] * t[i];
		});
	}
	return n;
}
function El(e, t, n, r, i) {
	let a = new Float64Array(t.length), o = 0;
	for (let s = t.length - 1; s >= 0; s--) {
		let c = Cl(t[s], e);
		for (let e = s + 1; e < t.length; e++) c -= Cl(t[s], r(n[e])) * a[e];
		a[s] = c / Cl(t[s], r(n[s])), o += Math.abs(a[s]) * i[n[s]];
	}
	return o;
}
function Dl({ grows: e, excess: t, phi: n }, { hat: r, leads: i }, a) {
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
		_l(h, g);
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
var Ol = 1e-150, kl = 1e290;
function Al(e, t, n) {
	let { left: r, values: i, right: a } = gl(e), o = $(t, e.columns), s = $(e.rows, t);
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
function jl(e, t, n, r) {
	return e.rows * sl(t, r) + cl(t) * cl(n) + cl(r) * cl(e) + t.rows * sl(e, n);
}
function Ml(e, t, n, r) {
	let i = Math.sqrt(jl(e, t, e, t) * jl(n, r, n, r));
	return i > 0 ? Math.max(1 - jl(e, t, n, r) / i, 0) : 0;
}
function Nl(e) {
	let { cross: t, curvature: n, lambda: r } = e, i = n * r, a = yl(e), o = xl(a, i), s = Sl(o), c = a.s.length, [l, u] = i >= 0 ? [a.small, a.large] : [a.large, a.small], d = kl / (2 * Math.max(1, ...o.phi.map(Math.abs))), f = Math.sqrt(n), p = s.leads.length, m = Dl(o, s, Math.abs(i) / 2), h = $(t.columns, p), g = $(t.rows, p), _ = $(t.rows, t.columns), [v, y] = [$(t.columns, t.columns), $(t.rows, t.rows)], b = {
		r: ol(al(a.qv, a.qv), 1 / n),
		a: ol(al(a.qu, a.qu), 1 / n)
	}, x = jl(b.r, b.a, b.r, b.a), S = (e) => {
		let n = m(Math.min(Math.max(e, Ol), d));
		for (let e = 0; e < p; e++) {
			for (let t = 0; t < c; t++) {
				let r = n[t * p + e], i = n[(c + t) * p + e];
				h.data[t * p + e] = (l[t] * r + u[t] * i) / f, g.data[t * p + e] = (u[t] * r - l[t] * i) / f;
			}
			for (let r = c; r < t.columns; r++) h.data[r * p + e] = n[(c + r) * p + e] / f;
			for (let r = c; r < t.rows; r++) g.data[r * p + e] = n[(c + r) * p + e] / f;
		}
	}, C = (e, t) => {
		let n = rl(e, t);
		return al(n, n);
	};
	return (e) => {
		let r = [], i = [], o = Array.from({ length: c }, () => []);
		for (let s of e) {
			S(s), al(g, h, _);
			for (let e = 0; e < c; e++) {
				let r = e * t.columns + e;
				o[e].push(_.data[r]), _.data[r] -= a.s[e] / n;
			}
			r.push(.5 * n * sl(_, _)), al(h, h, v), al(g, g, y);
			let e = Math.sqrt(x * jl(v, y, v, y));
			i.push(e > 0 ? Math.max(1 - jl(b.r, b.a, v, y) / e, 0) : 0);
		}
		let s = (t, n) => (S(e[t]), n());
		return {
			loss: r,
			kernelDistance: i,
			strengths: o,
			input: (e) => s(e, () => C(a.right, h)),
			output: (e) => s(e, () => C(a.left, g)),
			map: (e) => s(e, () => al(rl(a.left, g), rl(a.right, h)))
		};
	};
}
//#endregion
//#region src/topics/lazy_setting.ts
var Pl = [
	1,
	.5,
	.25
], Fl = [
	-1.6,
	.6,
	Math.sqrt(3 - 1.6 ** 2 - .6 ** 2)
], Il = 400, Ll = .1, Rl = [.01, 1e3], zl = {
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
function Bl(e) {
	let t = $(e, e);
	for (let n = 0; n < e; n++) for (let r = 0; r < e; r++) t.data[n * e + r] = Math.sqrt((r ? 2 : 1) / e) * Math.cos(Math.PI * (n + .5) * r / e);
	return t;
}
function Vl(e, t) {
	let [n, r] = [Bl(t), Bl(e)], i = $(t, e);
	return Fl.forEach((a, o) => {
		let [s, c] = [o, e - 1 - (o + 1) % 3];
		for (let o = 0; o < t; o++) for (let l = 0; l < e; l++) i.data[o * e + l] += a * n.data[o * t + s] * r.data[l * e + c];
	}), i;
}
function Hl(e) {
	let { inputs: t, outputs: n } = zl[Ao(e, "shape")] ?? zl.square, [r, i] = [Z(e, "lambda"), Z(e, "scale")], a = $(n, t);
	Pl.forEach((e, n) => a.data[n * t + n] = e);
	let o = Vl(t, n), { first: s, second: c } = Al(ol(o, i), 3, r), [l, u] = [Pl[0], Pl[Pl.length - 1]], d = Math.log(.001 / Math.hypot(l, r / 2)), f = Math.log(1e3 * Math.hypot(u, r / 2) / u ** 2), p = [0, ...Array.from({ length: Il }, (e, t) => Math.exp(d + (f - d) * t / 399))];
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
function Ul({ lambda: e, times: t }, { loss: n, kernelDistance: r }) {
	let i = Math.max(...r), a = Math.abs(e) / (2 * Pl[0]), o = r.findIndex((e) => e >= i / 2), s = r.findIndex((e) => e >= i / 10), c = n[n.length - 1];
	return {
		name: i < .1 ? "lazy" : a <= 1 ? "rich" : "delayed rich",
		distance: i,
		imbalance: a,
		delay: t[o],
		lazyShare: n[0] > c ? (n[0] - n[s]) / (n[0] - c) : 0
	};
}
function Wl(e, t, n, r) {
	let i = n[0] + r * (n[n.length - 1] - n[0]), a = n.findIndex((e) => e <= i);
	if (a <= 0) return 0;
	let [o, s] = [t[a - 1], t[a]], [c, l] = [n[a - 1] - i, n[a] - i];
	for (let t = 0; t < 40 && s - o > 1e-13 * s; t++) {
		let n = o + (s - o) * c / (c - l), r = 1e-9 * (s - o) + 1e-14 * s, a = t % 4 == 3 ? .5 * (o + s) : Math.min(Math.max(n + (t % 2 ? r : -r), o + r), s - r), u = e([a]).loss[0] - i;
		u <= 0 ? [s, l] = [a, u] : [o, c] = [a, u];
	}
	return .5 * (o + s);
}
var Gl = (e) => [
	"lambda",
	"scale",
	"shape"
].map((t) => e[t]).join(" "), Kl;
function ql(e) {
	let t = Gl(e);
	if (Kl?.key !== t) {
		let n = Hl(e), r = Nl(n.problem), i = r(n.times), [a, o] = [.1, .9].map((e) => Wl(r, n.times, i.loss, e));
		Kl = {
			key: t,
			solution: {
				setting: n,
				path: r,
				found: i,
				regime: Ul(n, i),
				wait: a / o
			}
		};
	}
	return Kl.solution;
}
//#endregion
//#region src/learn/linear.ts
function Jl(e, t, n, r) {
	let i = $(e, t);
	for (let e = 0; e < i.data.length; e++) i.data[e] = n * r();
	return i;
}
function Yl(e, t, n) {
	return _l(Jl(e, t, 1, n));
}
function Xl(e, t, n, r, i, a) {
	let o = e.columns, s = [
		e,
		...Array.from({ length: r - 1 }, () => Yl(n, o, a)),
		t
	], c = i ** (1 / r);
	return Array.from({ length: r }, (e, t) => {
		let n = al(s[t + 1], s[t]);
		return n.data.forEach((e, t) => n.data[t] = c * e), n;
	});
}
var Zl = class {
	cross;
	curvature;
	weights;
	below;
	above;
	miss;
	back;
	change;
	constructor(e, t, n) {
		this.cross = t, this.curvature = n, this.weights = e.map(el), this.below = [Zc(t.columns), ...e.map((e) => $(e.rows, t.columns))], this.above = [...e.map((e) => $(t.rows, e.columns)), Zc(t.rows)], this.miss = $(t.rows, t.columns), this.back = e.map((e) => $(e.rows, t.columns)), this.change = e.map((e) => $(e.rows, e.columns)), this.refresh();
	}
	refresh() {
		let e = this.weights.length;
		this.below[1].data.set(this.weights[0].data);
		for (let t = 1; t < e; t++) rl(this.weights[t], this.below[t], this.below[t + 1]);
		this.above[e - 1].data.set(this.weights[e - 1].data);
		for (let t = e - 2; t > 0; t--) rl(this.above[t + 1], this.weights[t], this.above[t]);
		let t = this.map.data, { data: n } = this.miss;
		for (let e = 0; e < n.length; e++) n[e] = this.cross.data[e] - this.curvature * t[e];
	}
	get map() {
		return this.below[this.weights.length];
	}
	get loss() {
		return sl(this.miss, this.miss) / (2 * this.curvature);
	}
	hidden(e) {
		return this.below[e];
	}
	step(e) {
		let t = this.weights.length;
		for (let n = 0; n < t; n++) {
			let r = n === t - 1 ? this.miss : il(this.above[n + 1], this.miss, this.back[n]), i = n === 0 ? r : al(r, this.below[n], this.change[n]), { data: a } = this.weights[n];
			for (let t = 0; t < a.length; t++) a[t] += e * i.data[t];
		}
		this.refresh();
	}
};
function Ql(e, t, n) {
	let r = rl(e, n);
	return Array.from({ length: n.columns }, (e, n) => {
		let i = 0;
		for (let e = 0; e < t.rows; e++) i += t.data[e * t.columns + n] * r.data[e * r.columns + n];
		return i;
	});
}
//#endregion
//#region src/topics/lazy_train.ts
var $l = 4e5, eu = 15e5;
function* tu(e) {
	let { problem: t } = Hl(e), { first: n, second: r, cross: i } = t, a = Nl(t), o = new Zl([n, r], i, 1), s = (e) => Math.sqrt(e.data.reduce((e, t) => e + t * t, 0)), c = .05 / Math.max(s(n) ** 2 + s(r) ** 2, 2 * Pl.length * Math.hypot(Pl[0], t.lambda / 2)), l = Math.min(Math.ceil(Rl[1] / c), $l), u = {
		r: il(n, n),
		a: al(r, r)
	}, d = {
		times: [],
		loss: [],
		moved: [],
		strengths: Pl.map(() => []),
		expected: [],
		rate: c
	}, f = (e) => {
		let [t, n] = o.weights;
		d.times.push(e * c), d.loss.push(o.loss), d.expected.push(a([e * c]).loss[0]), d.moved.push(Ml(u.r, u.a, il(t, t), al(n, n))), Pl.forEach((e, t) => d.strengths[t].push(o.map.data[t * o.map.columns + t]));
	}, [p, m] = [0, 0];
	for (let e = 0; e <= l; e++) (e >= p || e === l) && (f(e), p = Math.max(e + 1, Math.round(e * 1.05))), e < l && o.step(c), m += 12 * i.data.length * 3, m > eu && (m = 0, yield { ...d });
	yield { ...d };
}
//#endregion
//#region src/topics/lazy.ts
function nu(e, t) {
	let { setting: n, path: r, found: i, regime: a, wait: o } = ql(e), { problem: s, lambda: c, times: l } = n, u = l.map((e, t) => t).filter((e) => l[e] > Rl[0] / 1.1 && l[e] < Rl[1] * 1.1), d = (e) => u.map((t) => e[t]), f = {
		label: "flow time",
		values: d(l),
		log: !0,
		range: Rl
	}, p = Rl[0] * (Rl[1] / Rl[0]) ** Z(e, "moment"), m = [{
		label: "prediction",
		y: d(i.loss),
		colour: 6
	}], h = [{
		label: "prediction",
		y: d(i.kernelDistance),
		colour: 6
	}], g, _ = i.strengths.map((e, t) => ({
		label: `mode ${t + 1} (s = ${Pl[t]})`,
		y: d(e),
		colour: 7 + t
	})), v = [
		{
			id: "kernel_distance",
			label: "largest kernel distance",
			value: a.distance
		},
		{
			id: "imbalance",
			label: "imbalance |λ|/2s",
			value: a.imbalance
		},
		{
			id: "delay",
			label: "kernel half-turned at t =",
			value: a.delay,
			unit: "flow time"
		},
		{
			id: "lazy_share",
			label: "fraction learned before the kernel turned",
			value: a.lazyShare
		},
		{
			id: "wait",
			label: "delay: time to 10 % / time to 90 % learned",
			value: o
		}
	];
	if (t && t.times.length > 2) {
		let e = t.times.slice(1);
		m.unshift({
			label: "trained network",
			x: e,
			y: t.loss.slice(1),
			colour: 6,
			role: "trained"
		}), h.unshift({
			label: "trained network",
			x: e,
			y: t.moved.slice(1),
			colour: 6,
			role: "trained"
		}), _.unshift(...t.strengths.map((t, n) => ({
			label: "trained network",
			x: e,
			y: t.slice(1),
			colour: 7 + n,
			role: "trained",
			quiet: !0
		}))), g = Ds(t.times, t.expected, t.loss), v.push({
			id: "area",
			label: "area between prediction and network (∫|ΔL|/∫L)",
			value: g
		});
	}
	let y = r([p]), b = Array.from({ length: s.cross.columns }, (e, t) => `${t + 1}`), x = Array.from({ length: s.cross.rows }, (e, t) => `${t + 1}`);
	return {
		sentence: iu(n, a, o) + Vo(g, "The trained network", "the training step is not small for weights of this size"),
		numbers: v,
		charts: [
			{
				kind: "lines",
				id: "loss",
				title: "Loss",
				x: f,
				y: { label: "loss" },
				lines: m,
				moment: p
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
				lines: h,
				moment: p,
				marks: [{
					axis: "y",
					at: Ll,
					label: "lazy below",
					side: "left"
				}]
			},
			{
				kind: "lines",
				id: "strengths",
				title: "Strength of each mode",
				x: f,
				y: { label: "strength uᵀW₂W₁v" },
				lines: _,
				moment: p
			},
			ru(c, n.scale),
			{
				kind: "heat",
				id: "input",
				title: "Input representation W₁ᵀW₁",
				label: "similarity of inputs",
				matrix: $c(y.input(0)),
				rows: b,
				columns: b
			},
			{
				kind: "heat",
				id: "output",
				title: "Output representation W₂W₂ᵀ",
				label: "similarity of outputs",
				matrix: $c(y.output(0)),
				rows: x,
				columns: x
			}
		]
	};
}
function ru(e, t) {
	let n = {
		s: Pl[0],
		d: 1
	}, r = Math.min(t, .1), i = (e) => {
		let [t, i] = [0, 1e3];
		for (let a = 0; a < 80; a++) {
			let a = .5 * (t + i);
			nc([a], n, r, e)[0] >= .5 ? i = a : t = a;
		}
		return i;
	}, a = Array.from({ length: 121 }, (e, t) => t / 30), o = (e) => {
		let t = i(e);
		return nc(a.map((e) => e * t), n, r, e);
	};
	return {
		kind: "lines",
		id: "shape",
		title: `Sigmoid to exponential: one mode from ${Q(r)}`,
		x: {
			label: "time / half-learning time",
			values: a,
			range: [0, 4]
		},
		y: {
			label: "strength / final strength",
			range: [0, 1.02]
		},
		lines: [
			{
				label: "balanced",
				y: o(0),
				colour: 6,
				dash: "dot",
				role: "reference"
			},
			{
				label: "|λ| → ∞",
				y: a.map((e) => 1 - (1 - r) * (.5 / (1 - r)) ** e),
				colour: 6,
				dash: "dash",
				role: "reference"
			},
			{
				label: `here, λ = ${Q(e)}`,
				y: o(e),
				colour: 0
			}
		]
	};
}
function iu({ lambda: e, scale: t }, { name: n, distance: r, delay: i, lazyShare: a }, o) {
	let s = e > 0 ? "the output layer is stronger" : e < 0 ? "the input layer is stronger" : "the layers are balanced", c = n === "lazy" ? `learning is lazy: the kernel turns by ${Q(r)} at most, and representations stay near their initial form` : n === "rich" ? `learning is rich: the kernel turns by ${Q(r)}, half of it by t = ${Q(i)}, and representations take the structure of the task` : `learning is delayed rich: ${Ro(a)} of the loss is lost while the kernel hardly moves, then the kernel turns by ${Q(r)}, half of it by t = ${Q(i)}`, l = o > .15 ? "in sigmoids, after a delay" : o > .03 ? "almost exponentially" : "fast at first, with a long tail";
	return `At λ = ${Q(e)} and scale ${Q(t)} ${s} and ${c}; the loss falls ${l}.`;
}
function au(e) {
	let { problem: t, lambda: n } = Hl(e), r = new Po(8), i = r.column(3, Fo(t.cross.columns), "inputs"), a = r.column(9, Fo(3), "hidden units"), o = r.column(15, Fo(t.cross.rows), "outputs"), [s, c] = [Math.sqrt(Math.max(1 - n / 3, .5)), Math.sqrt(Math.max(1 + n / 3, .5))];
	r.join(i, a, () => ({
		weight: s,
		colour: 0
	})), r.join(a, o, () => ({
		weight: c,
		colour: 1
	})), r.word(6, -.4, "W₁"), r.word(12, -.4, "W₂");
	let l = n > 0 ? "the output layer W₂ starts stronger" : n < 0 ? "the input layer W₁ starts stronger" : "both layers start equally strong";
	return r.done(`A linear network of two layers learns a map with three modes; ${l}.`);
}
var ou = {
	id: "rich_and_lazy",
	title: "Starts",
	question: "Does a network learn new features, or does it only combine its initial ones?",
	paper: {
		text: "Dominé et al. 2025, From lazy to rich: exact learning dynamics in deep linear networks",
		href: "https://arxiv.org/abs/2409.14623"
	},
	terms: [
		"rich",
		"kernel",
		"balance",
		"mode",
		"strength",
		"flow",
		"area"
	],
	theory: {
		text: "Learning conserves the difference W₂ᵀW₂ − W₁W₁ᵀ between the two layers. If this difference is λ·1 and the inputs are whitened, learning has an exact solution. Small λ and small weights give rich learning: the tangent kernel turns, representations take the task's structure, and strengths rise along S-shaped curves. A square network with large |λ| is lazy, and its strengths rise exponentially towards their ends. A funnel (more inputs than outputs) is lazy only for λ > 0. With λ < 0 it first learns lazily and turns its kernel later, after a time of order |λ|/s². In a fan (more outputs than inputs) the signs are reversed.",
		equations: [
			"W_{2}^{T} W_{2} − W_{1} W_{1}^{T} = λ 1,  Q = ( W_{1}^{T} ; W_{2} )",
			"frac{d}{d t} (Q Q^{T}) = F Q Q^{T} + Q Q^{T} F − (Q Q^{T})^{2},  F = ( −frac{λ}{2}, Σ_{yx}^{T} ; Σ_{yx}, frac{λ}{2} )",
			"\"one aligned mode:\"  frac{d a}{d t} = sqrt{λ^{2} + 4 a^{2}} (s − a)",
			"K = 1 ⊗ X W_{1}^{T} W_{1} X^{T} + W_{2} W_{2}^{T} ⊗ X X^{T},  \"distance\" = 1 − frac{⟨K_{0}, K⟩}{‖K_{0}‖ ‖K‖}"
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
			help: "W₂ᵀW₂ − W₁W₁ᵀ = λ·1; above 0 the output layer is stronger."
		},
		{
			kind: "slider",
			id: "scale",
			label: "Initial scale",
			min: .001,
			max: 3,
			step: .05,
			value: .01,
			log: !0,
			help: "Root-mean-square singular value of the map W₂W₁ at time 0; about 0.78 for the task itself."
		},
		{
			kind: "choice",
			id: "shape",
			label: "Shape",
			value: "square",
			options: Object.entries(zl).map(([e, { label: t }]) => ({
				value: e,
				label: t
			})),
			help: "Inputs, hidden units, outputs."
		},
		No((e) => `t = ${Q(Rl[0] * (Rl[1] / Rl[0]) ** e)}`)
	],
	schematic: au,
	ask: {
		prompt: "Both layers start small and equally strong. Will the network keep its initial features, or learn new ones?",
		options: ["It keeps and combines them: lazy learning", "It learns new ones: rich learning"],
		right: (e) => ql(e).regime.name === "lazy" ? 0 : 1,
		because: "Small weights must align with the task before they can grow. Only if one layer is much stronger can the other layer learn alone and leave the features unchanged."
	},
	view: nu,
	live: {
		label: "Train the network",
		key: Gl,
		run: tu
	},
	python: (e) => {
		let { problem: t, lambda: n, scale: r, map: i, times: a } = Hl(e), o = (e) => JSON.stringify($c(e));
		return [
			"import numpy as np",
			"import scipy",
			"",
			"import festina as fs",
			"",
			`x = ${t.cross.columns} ** 0.5 * np.eye(${t.cross.columns})`,
			`task = fs.Task(x, x @ np.array(${o(nl(t.cross))}))`,
			`initial = fs.initial.Balanced(${r}, lambda_=${n}, map=${o(i)})`,
			"network = fs.DeepLinear(hidden=(3,), initial=initial)",
			"regime = network.regime(task)",
			"loss = lambda t: float(fs.evolve(network, task, np.array([t])).loss[0])",
			`latest = ${zo(a[a.length - 1])}`,
			"begin, end = loss(0.0), loss(latest)",
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
}, su = 1e-12, cu = 1e-9;
function lu(e, t) {
	return Array.from({ length: e }, (e, n) => t(n));
}
function uu(e) {
	let t = 2 ** e;
	return lu(t, String).map((n, r) => {
		let i = [];
		for (let n = 0; n <= e; n++) for (let e = 0; e < 2 ** n; e++) i.push(+(Math.floor(r * 2 ** n / t) === e));
		return i;
	});
}
function du(e) {
	return lu(e, String).map((t, n) => lu(e, String).map((e, t) => +(t <= n)));
}
function fu(e, t) {
	return lu(e * t, String).map((n, r) => lu(e, String).map((e, n) => +(Math.floor(r / t) === n)));
}
function pu(e) {
	let t = e.reduce((e, t) => e * t, 1);
	return lu(t, String).map((n, r) => {
		let [i, a, o] = [
			[],
			r,
			t
		];
		for (let t of e) {
			o /= t;
			let e = Math.floor(a / o);
			a -= e * o, i = i.concat(lu(t, String).map((t, n) => +(n === e)));
		}
		return i;
	});
}
function mu(e, t, n) {
	let r = $(t.rows, t.columns);
	for (let i = 0; i < t.rows; i++) for (let a = 0; a < t.columns; a++) r.data[i * t.columns + a] = t.data[i * t.columns + a] * Math.sqrt(n * Math.max(e[a], 0));
	return rl(r, nl(t));
}
function hu(e, t, n, r) {
	let i = e ** t, a = $(i, i);
	for (let r = 0; r < i; r++) for (let o = 0; o < i; o++) {
		let s = t;
		for (let [t, n] = [r, o]; t !== n; [t, n] = [Math.floor(t / e), Math.floor(n / e)]) s--;
		a.data[r * i + o] = (1 - 2 * n) ** (2 * (t - s));
	}
	let { values: o, vectors: s } = fl(a);
	return mu(o, s, r);
}
function gu(e, t, n, r) {
	let i = $(e, e);
	for (let t = 0; t < e; t++) i.data[t * e + t] = 1 / r ** 2;
	for (let [n, r] of t) i.data[n * e + n] += 1, i.data[r * e + r] += 1, --i.data[n * e + r], --i.data[r * e + n];
	let { values: a, vectors: o } = fl(i);
	return mu(a.map((e) => 1 / e), o, n);
}
function _u(e, t, n) {
	return gu(e, lu(e, String).map((t, n) => [n, (n + 1) % e]), t, n);
}
function vu(e, t, n, r) {
	let i = [];
	for (let n = 0; n < e * t; n++) (n + 1) % t && i.push([n, n + 1]), n + t < e * t && i.push([n, n + t]);
	return gu(e * t, i, n, r);
}
function yu(e) {
	let { y: t } = e, n = t.rows, r = ml(t), i = r.values[0] ?? 0, a = r.values.filter((e) => e > su * i).length, o = r.values.slice(0, a), s = [];
	for (let e = 0; e < a; e++) e > 0 && o[e - 1] - o[e] <= cu * i ? s[s.length - 1].push(e) : s.push([e]);
	let c = $(n, a);
	for (let e of s) {
		let i = e.reduce((e, t) => e + o[t], 0) / e.length, s = e.length > 1 ? Su(t, r.left, e, i) : e.map((e) => xu(bu(r.left, e)));
		e.forEach((e, t) => {
			o[e] = i;
			for (let r = 0; r < n; r++) c.data[r * a + e] = s[t][r];
		});
	}
	let l = rl(nl(t), c);
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
function bu(e, t) {
	return Array.from({ length: e.rows }, (n, r) => e.data[r * e.columns + t]);
}
function xu(e) {
	return e.reduce((e, t) => Math.abs(t) > Math.abs(e) + 1e-9 ? t : e, 0) < 0 ? e.map((e) => -e) : e;
}
function Su(e, t, n, r) {
	let i = n.map((e) => bu(t, e)), a = (e, t) => e.reduce((e, n, r) => e + n * t[r], 0), o = (e, t, n) => e.map((e, r) => e - n * t[r]), s = [], c = [...Array.from({ length: e.columns }, (t, n) => bu(e, n)), ...i.map((e) => e.map((e) => r * e))];
	for (let t of c) {
		let c = Array(e.rows).fill(0);
		for (let e of i) c = o(c, e, -a(t, e));
		for (let e = 0; e < 2; e++) for (let e of s) c = o(c, e, a(c, e));
		let l = Math.sqrt(a(c, c));
		if (!(l < .05 * r) && (s.push(xu(c.map((e) => e / l))), s.length === n.length)) break;
	}
	return s;
}
var Cu = [
	"canary",
	"robin",
	"salmon",
	"sunfish",
	"oak",
	"pine",
	"rose",
	"daisy"
], wu = [
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
], Tu = (e) => lu(e, (e) => `item ${e + 1}`), Eu = [
	{
		id: "hierarchy",
		label: "Hierarchy",
		items: Cu,
		branches: lu(8, String).map((e, t) => t >> 1),
		properties: wu,
		y: Qc(uu(3)),
		modes: [
			"everything: grow",
			"animals | plants",
			"birds | fish",
			"trees | flowers",
			"canary | robin",
			"salmon | sunfish",
			"oak | pine",
			"rose | daisy"
		],
		python: "fs.tasks.living_things(8).statistics.strengths"
	},
	{
		id: "partition",
		label: "Partition",
		items: lu(9, (e) => `${"abc"[Math.floor(e / 3)]}${e % 3 + 1}`),
		branches: lu(9, String).map((e, t) => Math.floor(t / 3)),
		properties: [
			"group a",
			"group b",
			"group c"
		],
		y: Qc(fu(3, 3)),
		modes: [
			"group a",
			"group b",
			"group c"
		],
		python: "fs.tasks.partition(3, 3).statistics.strengths"
	},
	{
		id: "ring",
		label: "Ring",
		items: Tu(8),
		properties: lu(8, (e) => `feature ${e + 1}`),
		y: _u(8, 8, 2),
		python: "fs.tasks.mode_strengths(\"ring\", 8, features=8, sigma=2.0)"
	},
	{
		id: "ordering",
		label: "Ordering",
		items: Tu(8),
		properties: lu(8, (e) => `at least ${e + 1}`),
		y: Qc(du(8)),
		python: "fs.tasks.ordering(8).statistics.strengths"
	},
	{
		id: "crossing",
		label: "Cross-cutting dimensions",
		items: lu(8, (e) => `${e & 4 ? "large" : "small"} ${e & 2 ? "red" : "blue"} ${e & 1 ? "disc" : "cube"}`),
		branches: lu(8, String).map((e, t) => t >> 2),
		properties: [
			"small",
			"large",
			"blue",
			"red",
			"cube",
			"disc"
		],
		y: Qc(pu([
			2,
			2,
			2
		])),
		modes: [
			"what all share",
			"small | large",
			"blue | red",
			"cube | disc"
		],
		python: "fs.tasks.dimensions((2, 2, 2)).statistics.strengths"
	},
	{
		id: "grid",
		label: "Grid",
		items: lu(9, (e) => `${"abc"[Math.floor(e / 3)]}${e % 3 + 1}`),
		branches: lu(9, String).map((e, t) => Math.floor(t / 3)),
		properties: lu(9, (e) => `feature ${e + 1}`),
		y: vu(3, 3, 9, 2),
		python: "fs.tasks.mode_strengths(\"grid\", 3, 3, features=9, sigma=2.0)"
	},
	{
		id: "tree",
		label: "Random tree",
		items: lu(8, (e) => `${(e >> 2) + 1}.${(e >> 1 & 1) + 1}.${(e & 1) + 1}`),
		branches: lu(8, String).map((e, t) => t >> 1),
		properties: lu(8, (e) => `feature ${e + 1}`),
		y: hu(2, 3, .1, 8),
		modes: [
			"what all share",
			"1 | 2",
			"1.1 | 1.2",
			"2.1 | 2.2",
			"1.1.1 | 1.1.2",
			"1.2.1 | 1.2.2",
			"2.1.1 | 2.1.2",
			"2.2.1 | 2.2.2"
		],
		python: "fs.tasks.mode_strengths(\"tree\", 2, 3, flip=0.1, features=8)"
	}
], Du = 300, Ou = [
	0,
	.15,
	.45
];
function ku(e) {
	let { rows: t, columns: n } = e, r = $(t, n);
	for (let i = 0; i < n; i++) {
		let a = 0;
		for (let r = 0; r < t; r++) a += e.data[r * n + i] / t;
		for (let o = 0; o < t; o++) r.data[o * n + i] = e.data[o * n + i] - a;
	}
	let { values: i, vectors: a } = fl(al(r, r)), o = $(t, t);
	for (let e = 0; e < t; e++) for (let n = 0; n < t; n++) o.data[e * t + n] = a.data[e * t + n] * Math.sqrt(Math.max(i[n], 0));
	return o;
}
function Au(e) {
	let { rows: t, columns: n } = e, r = new Float64Array(t * t);
	for (let i = 0; i < t; i++) for (let a = 0; a < i; a++) {
		let o = 0;
		for (let t = 0; t < n; t++) o += (e.data[i * n + t] - e.data[a * n + t]) ** 2;
		r[i * t + a] = r[a * t + i] = Math.sqrt(o);
	}
	return r;
}
function ju(e) {
	let t = Au(e), n = t.reduce((e, t) => e + t * t, 0), r = ku(e);
	return Ou.map((i) => {
		let a = $(e.rows, 2);
		for (let t = 0; t < e.rows; t++) for (let e = 0; e < r.columns; e++) a.data[2 * t + e % 2] += r.data[t * r.columns + e] * (e < 2 ? 1 : i * (e % 4 < 2 ? 1 : -1));
		for (let e = 0; e < Du; e++) a = Mu(a, t);
		let o = Au(a), s = n > 0 ? Math.sqrt(t.reduce((e, t, n) => e + (t - o[n]) ** 2, 0) / n) : 0;
		return {
			points: a,
			stress: s
		};
	}).reduce((e, t) => t.stress < e.stress - 1e-6 ? t : e);
}
function Mu(e, t) {
	let n = e.rows, r = Au(e), i = $(n, 2);
	for (let a = 0; a < n; a++) for (let o = 0; o < n; o++) {
		let s = r[a * n + o];
		if (a === o || s === 0) continue;
		let c = t[a * n + o] / s / n;
		i.data[2 * a] += c * (e.data[2 * a] - e.data[2 * o]), i.data[2 * a + 1] += c * (e.data[2 * a + 1] - e.data[2 * o + 1]);
	}
	return i;
}
function Nu(e, t) {
	let { left: n, right: r } = ml(il(e, t));
	return al(n, r);
}
function Pu(e, t) {
	return rl(e, Nu(e, t));
}
var Fu = /* @__PURE__ */ new Map();
function Iu(e) {
	let t = Fu.get(e);
	if (!t) {
		let n = Eu.find((t) => t.id === e) ?? Eu[0];
		t = {
			structure: n,
			...yu(n)
		}, Fu.set(e, t);
	}
	return t;
}
function Lu(e, t) {
	return {
		s: e.s[t],
		d: e.d
	};
}
var Ru;
function zu(e) {
	let t = [
		"structure",
		"depth",
		"start"
	].map((t) => e[t]).join(" ");
	return Ru?.key !== t && (Ru = {
		key: t,
		setting: Bu(e)
	}), Ru.setting;
}
function Bu(e) {
	let t = Iu(Ao(e, "structure")), n = Ao(e, "depth"), r = n === "inf" ? Infinity : Number(n), i = Z(e, "start"), a = t.groups.map(([e]) => rc(.98 * t.targets[e], Lu(t, e), i, r)), o = Mo(Math.max(...a)), s = Array.from({ length: 201 }, (e, t) => o * t / 200), c = {
		task: t,
		depth: r,
		start: i,
		end: o,
		times: s
	}, l = Vu(c, s), u = s.map((e, n) => Ju(c, Ku(t, r, l.map((e) => e[n]))));
	return {
		...c,
		curves: l,
		paths: u,
		loss: s.map((e, n) => Hu(t, l, n))
	};
}
function Vu({ task: e, depth: t, start: n }, r) {
	return e.groups.map(([i]) => ec(r, Lu(e, i), n, t));
}
function Hu(e, t, n) {
	return e.groups.reduce((r, i, a) => r + .5 * e.d * i.length * (t[a][n] - e.targets[i[0]]) ** 2, 0);
}
function Uu(e) {
	return e === 1 || e === Infinity ? 1 : 1 / e;
}
var Wu = /* @__PURE__ */ new Map();
function Gu({ task: e, depth: t }) {
	let n = `${e.structure.id} ${t}`, r = Wu.get(n);
	return r || (r = il(e.right, ju(qu(e, t)).points), Wu.set(n, r)), r;
}
function Ku(e, t, n) {
	let r = $(e.right.rows, e.right.columns);
	return e.groups.forEach((i, a) => {
		let o = Math.max(n[a], 0) ** Uu(t);
		for (let t of i) for (let n = 0; n < r.rows; n++) r.data[n * r.columns + t] = o * e.right.data[n * r.columns + t];
	}), r;
}
function qu(e, t) {
	return Ku(e, t, e.groups.map(([t]) => e.targets[t]));
}
function Ju(e, t) {
	let n = Gu(e), { task: r, depth: i } = e, a = $(n.rows, 2);
	return r.groups.forEach((e) => {
		let t = r.targets[e[0]] ** -Uu(i);
		for (let r of e) for (let e = 0; e < 2; e++) a.data[2 * r + e] = t * n.data[2 * r + e];
	}), $c(rl(t, a));
}
//#endregion
//#region src/topics/modes_train.ts
var Yu = 4e4, Xu = 6e6;
function* Zu(e) {
	let t = zu(e), { task: n, depth: r, start: i, end: a } = t;
	if (r === Infinity) return;
	let [o, s, c] = [
		n.right.rows,
		n.left.rows,
		n.right.columns + 2
	], l = So(7), u = Qu(n, r, c, i, Ao(e, "weights") === "random", l), d = new Zl(u, ol(nl(n.structure.y), 1 / o), n.d), f = ic(Lu(n, 0), r), p = Math.min(Math.max(.1 * f, a / Yu), .5 * f, a / 600), m = Math.ceil(a / p), h = {
		times: [],
		loss: [],
		strengths: Array.from({ length: n.s.length }, () => []),
		places: [],
		answers: [],
		expected: [],
		rate: p
	}, g = (e) => {
		h.times.push(e * p), h.loss.push(d.loss), Ql(d.map, n.left, n.right).forEach((e, t) => h.strengths[t].push(e)), h.answers.push($c(nl(d.map)));
		let i = Vu(t, [e * p]), a = i.map(([e]) => e);
		h.expected.push(Hu(n, i, 0));
		let o = Uu(r) === 1 ? d.map : d.hidden(1);
		h.places.push(Ju(t, Pu(nl(o), Ku(n, r, a))));
	}, _ = u.reduce((e, t) => e + t.rows * t.columns * (o + s) * 2, 0) + s * o * c * r * 2, v = 0, y = 0;
	for (let e = 0; e <= m; e++) (e >= y || e === m) && (g(e), y = Math.max(e + 1, Math.round(h.times.length * m / 159))), e < m && d.step(p), v += _, v > Xu && (v = 0, yield { ...h });
	yield { ...h };
}
function Qu(e, t, n, r, i, a) {
	let [o, s, c] = [
		e.right.rows,
		e.left.rows,
		e.right.columns
	];
	if (!i) return Xl(e.right, e.left, n, t, r, a);
	if (t === 1) return [Jl(s, o, r, a)];
	let l = Math.sqrt(2 * r / n);
	return t === 2 ? [Jl(n, o, l, a), Jl(s, n, l, a)] : Xl(Yl(o, c, a), Yl(s, c, a), n, t, r, a);
}
//#endregion
//#region src/topics/modes.ts
function $u(e) {
	let t = e.split(" ");
	return t.length > 2 ? t.map(([e]) => e).join("") : e;
}
function ed({ structure: e }, t) {
	return e.modes?.[t] ?? `mode ${t + 1}`;
}
function td(e, t) {
	let [n, r, ...i] = t.map((t) => ed(e, t));
	return r === void 0 ? n : `${n}; ${i.length ? `and ${Bo[t.length - 1] ?? t.length - 1} more` : r}`;
}
function nd(e, t) {
	let n = zu(e), { task: r, depth: i, start: a, end: o, times: s, curves: c, loss: l } = n, u = Math.round(Z(e, "moment") * 200), d = i === Infinity ? "depth × flow time" : "flow time", f = {
		label: d,
		values: s,
		range: [0, o]
	}, p = s[u], m = r.groups.map(([e]) => rc(.5 * r.targets[e], Lu(r, e), a, i)), h = Lu(r, 0), g = [.1, .9].map((e) => rc(e * r.targets[0], h, a, i)), _ = r.groups.map((e, t) => ({
		label: td(r, e),
		y: c[t],
		colour: 7 + t % 6,
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
			label: "rise time (10 to 90 %) of the strongest mode / its half-learning time",
			value: (g[1] - g[0]) / m[0]
		},
		{
			id: "loss",
			label: "loss at this time",
			value: l[u]
		}
	], y = [{
		label: "prediction",
		y: l,
		colour: 6
	}], b, x, S;
	if (t && t.times.length > 1) {
		let e = r.groups.flatMap((e, n) => e.map((r) => ({
			label: "trained network",
			x: t.times,
			y: t.strengths[r],
			colour: 7 + n % 6,
			role: "trained",
			among: e.length,
			quiet: !0
		})));
		_.unshift(...e), y.unshift({
			label: "trained network",
			x: t.times,
			y: t.loss,
			colour: 6,
			role: "trained"
		}), S = Ds(t.times, t.expected, t.loss), v.push({
			id: "area",
			label: "area between prediction and network (∫|ΔL|/∫L)",
			value: S
		});
		let n = t.times.findIndex((e) => e >= s[u] - 1e-9 * o);
		n >= 0 && ([b, x] = [t.places[n], t.answers[n]]);
	}
	let C = Array.from({ length: 40 }, (e, t) => Math.round(u * t / 39)).map((e) => n.paths[e]), w = r.structure.items.map((e, t) => ({
		label: $u(e),
		x: C[39][t][0],
		y: C[39][t][1],
		colour: r.structure.branches ? r.structure.branches[t] % 6 : 0,
		trail: C.map((e) => e[t])
	})), T = Math.max(...Ju(n, qu(r, i)).flat().map(Math.abs)), E = [-1.25 * T, 1.25 * T], D = rl(r.left, nl(rd(r, c, u))), ee = Math.max(...r.structure.y.data), te = (e, t, n) => ({
		kind: "heat",
		id: e,
		title: t,
		label: "answer",
		wide: !0,
		matrix: n,
		rows: r.structure.items,
		columns: r.structure.properties,
		bound: ee
	}), ne = Ao(e, "weights") === "random" ? "random weights must first align with the modes" : "the training step is not small for these initial weights";
	return {
		sentence: id(n, m, (g[1] - g[0]) / m[0]) + (i === Infinity ? " A network with infinitely many layers cannot be trained; this is the limit of deeper and deeper networks." : Vo(S, "The trained network", ne)),
		numbers: v,
		charts: [
			{
				kind: "lines",
				id: "strengths",
				title: "Strength of each mode",
				x: f,
				y: { label: "strength a" },
				lines: _,
				direct: !0,
				moment: p
			},
			{
				kind: "lines",
				id: "loss",
				title: "Loss",
				x: f,
				y: { label: "loss" },
				lines: y,
				moment: p
			},
			{
				kind: "scatter",
				id: "representation",
				equal: !0,
				title: `${Uu(i) === 1 ? "Answers to the items" : "Items in the first hidden layer"}${b ? " (rings: the trained network)" : ""}`,
				x: {
					label: "dimension 1",
					range: E
				},
				y: {
					label: "dimension 2",
					range: E
				},
				points: [...(b ?? []).map(([e, t]) => ({
					label: "",
					x: e,
					y: t,
					colour: 6,
					ring: !0
				})), ...w]
			},
			{
				kind: "heat",
				id: "vectors",
				title: "Which items each mode separates (v)",
				label: "entry of v",
				tall: !0,
				matrix: $c(nl(r.right)),
				rows: r.groups.flatMap((e) => e.map((e) => ed(r, e))),
				columns: r.structure.items
			},
			te("answers", "Predicted answers at this time", $c(nl(D))),
			x ? te("network_answers", "The trained network's answers", x) : te("targets", "Target answers", $c(r.structure.y))
		]
	};
}
function rd(e, t, n) {
	let r = $(e.right.rows, e.right.columns);
	return e.groups.forEach((i, a) => {
		for (let o of i) for (let i = 0; i < r.rows; i++) r.data[i * r.columns + o] = t[a][n] * e.right.data[i * r.columns + o];
	}), r;
}
function id({ task: e, depth: t, start: n }, r, i) {
	let [a, o] = [r[0], r[r.length - 1]];
	if (t === 1) return `One layer learns all modes at once, so there are no stages. Every mode approaches its end at the same rate d = ${Q(e.d)} and is half learned at t ≈ ${Q(a)}.`;
	let s = t === Infinity ? "Infinitely many layers" : `${{
		2: "Two",
		3: "Three",
		4: "Four",
		6: "Six"
	}[t] ?? t} layers`, c = i < .5 ? "suddenly, after a long delay" : i < 1.2 ? "along an S-shaped curve" : "gradually, because it starts large";
	return e.groups.length === 1 ? `${s} learn all modes together from strength ${Q(n)}, because they are equally strong: each is half learned at ${Q(a)} and rises ${c}.` : `${s} learn one mode after another from strength ${Q(n)}: the strongest is half learned at ${Q(a)}, the weakest at ${Q(o)}, which takes ${Q(o / a)} times as long; each rises ${c}.`;
}
function ad(e) {
	let { task: t, depth: n } = zu(e), { items: r, properties: i, branches: a } = t.structure, o = new Po(9), s = (e) => ({ colour: a ? a[e] % 6 : 0 }), c = n === Infinity ? 4 : n, l = o.column(6, r.map($u), "items", (e) => ({
		...s(e),
		side: "left"
	}));
	for (let e = 1; e < c; e++) {
		let t = o.column(6 + 9 * e / c, Fo(5), n === Infinity && e === 2 ? "…" : c === 2 ? "hidden units" : "");
		o.join(l, t, (t) => e === 1 ? {
			...s(t),
			weight: .7
		} : { weight: .7 }), l = t;
	}
	let u = o.column(15, Fo(Math.min(i.length, 9)), "properties");
	o.join(l, u, (e) => c === 1 ? {
		...s(e),
		weight: .7
	} : { weight: .7 });
	let d = n === Infinity ? "infinitely many layers" : n === 1 ? "one layer" : `${{
		2: "two",
		3: "three",
		4: "four",
		6: "six"
	}[n] ?? n} layers`;
	return o.done(`A linear network with ${d} of weights learns which of ${i.length} properties each of ${r.length} items has.${a ? " Items of one branch share a colour." : ""}`);
}
var od = {
	id: "modes",
	title: "Stages",
	question: "What does a network learn first?",
	paper: {
		text: "Saxe, McClelland & Ganguli 2014, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks",
		href: "https://arxiv.org/abs/1312.6120"
	},
	terms: [
		"mode",
		"strength",
		"singular",
		"loss",
		"flow",
		"area"
	],
	theory: {
		text: "The correlation of items with properties is a sum of modes, Σyx = U S Vᵀ. From small weights that are equally strong in every layer, each mode grows independently, and strong modes grow first: broad distinctions before fine ones. One layer has no such stages. More layers wait longer and then rise more suddenly. The map shows the items as they are at the end of learning, with distances kept as well as a plane allows. Each mode moves the items along a straight line of this map. The structures are those of Saxe, McClelland & Ganguli 2019.",
		equations: [
			"frac{d a}{d t} = D a^{2−2/D} (s − d a),  L = frac{1}{2} Σ d (a − frac{s}{d})^{2}",
			"D = 1:  a(t) = frac{s}{d} (1 − e^{−d t}) + a_{0} e^{−d t}",
			"D = 2:  a(t) = frac{s / d}{1 − (1 − frac{s}{d a_{0}}) e^{−2 s t}}",
			"D → ∞,  T = D t:  a(T) = frac{s / d}{1 + W_{0}( z_{0} e^{z_{0} − s^{2} T / d} )},  z_{0} = frac{s}{d a_{0}} − 1"
		]
	},
	controls: [
		{
			kind: "choice",
			id: "structure",
			label: "Structure",
			value: "hierarchy",
			options: Eu.map(({ id: e, label: t }) => ({
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
		No((e) => `${Math.round(100 * e)} %`),
		{
			kind: "choice",
			id: "weights",
			label: "Initial weights of the trained network",
			value: "aligned",
			help: "This formula assumes initial weights that are aligned with the modes; the story uses the random weights themselves. From random weights of the same size, deep networks learn later.",
			options: [{
				value: "aligned",
				label: "aligned"
			}, {
				value: "random",
				label: "random"
			}]
		}
	],
	schematic: ad,
	ask: {
		prompt: "The network learns the properties of eight living things. When will it know that a canary is not a fish?",
		options: [
			"Before it can tell animals from plants",
			"After it can tell animals from plants, before it can tell a canary from a robin",
			"Last of all, because a canary and a fish are both animals"
		],
		right: (e) => {
			if (Ao(e, "structure") !== "hierarchy" || Ao(e, "depth") === "1") return;
			let { task: t, start: n, depth: r } = zu(e), [, i, a, o] = t.groups.map(([e]) => rc(.5 * t.targets[e], Lu(t, e), n, r));
			return a < i ? 0 : a < (o ?? Infinity) ? 1 : 2;
		},
		because: "Broad distinctions are shared by more items, so their modes are stronger and are learned earlier."
	},
	view: nd,
	live: {
		label: "Train a linear network",
		impossible: (e) => Ao(e, "depth") === "inf" ? "A network with infinitely many layers cannot be trained." : void 0,
		key: (e) => [
			"structure",
			"depth",
			"start",
			"weights"
		].map((t) => e[t]).join(" "),
		run: Zu
	},
	python: (e) => {
		let { task: t, depth: n, start: r, times: i } = zu(e), a = Math.round(Z(e, "moment") * 200);
		return [
			"import math",
			"",
			"import festina as fs",
			"",
			`s = ${t.structure.python}`,
			`d, depth, start = 1 / ${t.structure.items.length}, ${n === Infinity ? "math.inf" : n}, ${r}`,
			"reach = lambda share, s: fs.linear.time_to_strength(share * s / d, s, d, start, depth)",
			"half = reach(0.5, s)",
			`now = fs.linear.strength(${zo(i[a])}, s, d, start, depth)`,
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
function sd({ rateH: e, rateY: t, dx: n, y: r, h: i }) {
	return i - e / t * n * r / i;
}
function cd({ rateH: e, rateY: t, dx: n, dy: r }) {
	return Math.sqrt(e / t * n * r);
}
function ld(e, t) {
	let n = .5 * Math.abs(e) + .5 * Math.hypot(e, 2 * t);
	return e >= 0 ? n : t / (n > 0 ? n : 1) * t;
}
function ud(e) {
	let [t, n] = [sd(e), cd(e)], r = Math.hypot(t, 2 * n), i = ld(t, n), a = ld(-t, n);
	return [{
		h: 0,
		eigenvalues: [e.rateY * i, -e.rateY * a]
	}, {
		h: i,
		eigenvalues: [-e.rateY * r / 2, -e.rateY * i]
	}];
}
function dd(e, t) {
	return e === 0 ? t : Math.expm1(e * t) / e;
}
function fd(e, t) {
	let { dx: n, dy: r, rateH: i, rateY: a, h: o, y: s, w: c } = e, l = Math.sqrt(n * i * a) / 2, u = Math.sqrt(2 * o / (n * i)), d = Math.sqrt(2 * s / (o * a)), f = s * r > 0 ? Math.min(1, Math.max(-1, (s - c) / Math.sqrt(s * r))) : 0, p = d * f, m = d * Math.sqrt((1 - f) * (1 + f)), h = -a * sd(e) / 4, g = l * Math.sqrt(r), _ = Math.hypot(h, g), [v, y] = h >= 0 ? [g, _ + h] : [_ - h, g], b = Math.hypot(v, y), [x, S] = b > 0 ? [v / b, y / b] : [1, 0], C = x * u + S * p, w = S * u - x * p, T = h <= 0 ? _ - h : _ > 0 ? g ** 2 / (_ + h) : 0, E = {
		h: [],
		y: [],
		w: [],
		error: []
	}, D = Math.sqrt(r);
	for (let e of t) {
		let t = Math.min(e, 1e300), r = Math.exp(-2 * _ * t), a = dd(-2 * _, t), o = h <= 0 ? r * dd(2 * h, t) : Math.exp(-2 * T * t) * dd(-2 * h, t), s = r + l ** 2 * (C ** 2 * a + w ** 2 * r * a + m ** 2 * o), c = Math.sqrt(s), u = (e) => s > 0 ? e / c : 0, d = u(x * C + S * w * r), f = l * d * u(S * C - x * w * r), p = l * d * u(m * Math.exp(-T * t));
		E.h.push(n * i / 2 * d ** 2), E.y.push(f ** 2 + p ** 2), E.w.push(f * (f - D) + p ** 2), E.error.push((f - D) ** 2 + p ** 2);
	}
	return E;
}
function pd(e) {
	return {
		...e,
		dy: 0,
		w: e.y
	};
}
function md(e, t) {
	let n = (t) => fd(e, [t]).error[0], [r, i] = [n(0), n(Infinity)], a = r + t * (i - r);
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
var hd = [
	4,
	32,
	32,
	32,
	3
], gd = 2, _d = .2, vd = class {
	weights;
	activity;
	slopes;
	targets;
	constructor(e, t) {
		let n = So(t);
		this.weights = hd.slice(1).map((e, t) => Jl(e, hd[t], 1 / Math.sqrt(hd[t]), n)), this.activity = hd.map((e) => $(e, 2)), this.slopes = hd.map((e) => $(e, 2));
		let r = xd(yd(hd[0], n)), i = xd(Sd(yd(hd[0], n), r));
		r.forEach((t, n) => {
			this.activity[0].data[2 * n] = i[n] - t * e.dx / 2, this.activity[0].data[2 * n + 1] = i[n] + t * e.dx / 2;
		});
		let a = this.weights.length;
		this.forward(), this.rescale(0, gd, e.encoder * e.dx / bd(this.difference(gd))), this.rescale(gd, a, e.decoder * e.encoder * e.dx / bd(this.difference(a)));
		let o = xd(this.difference(a)), s = xd(Sd(yd(o.length, n), o)), c = Math.sqrt(1 - e.cosine ** 2);
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
			let { data: n } = rl(this.weights[t], this.activity[t], this.activity[t + 1]), r = this.slopes[t + 1].data;
			for (let i = 0; i < n.length; i++) r[i] = t === e - 1 || n[i] > 0 ? 1 : _d, n[i] *= r[i];
		}
	}
	difference(e) {
		let { data: t, rows: n } = this.activity[e];
		return Array.from({ length: n }, (e, n) => t[2 * n + 1] - t[2 * n]);
	}
	get state() {
		let [e, t] = [this.difference(gd), this.difference(this.weights.length)], n = t.reduce((e, t) => e + t * t, 0), r = n - t.reduce((e, t, n) => e + t * (this.targets.data[2 * n + 1] - this.targets.data[2 * n]), 0);
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
		let e = this.weights.length, t = $(hd[e], 2);
		t.data.forEach((n, r) => t.data[r] = (this.targets.data[r] - this.activity[e].data[r]) / 2);
		let n = [];
		for (let r = e - 1; r >= 0; r--) n.unshift(al(t, this.activity[r])), t = il(this.weights[r], t), t.data.forEach((e, n) => t.data[n] = e * this.slopes[r].data[n]);
		return n;
	}
	step(e) {
		this.descent().forEach((t, n) => {
			let { data: r } = this.weights[n];
			for (let n = 0; n < r.length; n++) r[n] += e * t.data[n];
		}), this.forward();
	}
};
function yd(e, t) {
	return Array.from({ length: e }, t);
}
function bd(e) {
	return Math.hypot(...e);
}
function xd(e) {
	let t = bd(e);
	return e.map((e) => e / t);
}
function Sd(e, t) {
	let n = e.reduce((e, n, r) => e + n * t[r], 0);
	return e.map((e, r) => e - n * t[r]);
}
//#endregion
//#region src/theory/fit.ts
var Cd = Array.from({ length: 33 }, (e, t) => -2 + t / 8), wd = [
	-.5,
	0,
	.5
], Td = 100, Ed = Math.log(1e8), Dd = 60;
function Od(e, t, n) {
	let { times: r, h: i, y: a, w: o } = e, s = r.map((e, t) => .5 * ((r[t + 1] ?? e) - (r[t - 1] ?? e))), c = r.map((e) => e - r[0]), l = (e) => ({
		dx: t,
		dy: n,
		rateH: Math.exp(e[0]),
		rateY: Math.exp(e[1]),
		h: i[0],
		y: a[0],
		w: o[0]
	}), u = r.map((e, t) => t), d = (e, t) => {
		let n = fd(l(e), t.map((e) => c[e])), r = new Float64Array(3 * t.length);
		return t.forEach((e, t) => {
			let c = Math.sqrt(s[e]);
			r[3 * t] = (n.h[t] - i[e]) * c, r[3 * t + 1] = (n.y[t] - a[e]) * c, r[3 * t + 2] = (n.w[t] - o[e]) * c;
		}), r;
	}, f = (e) => e.reduce((e, t) => e + t * t, 0), p = u.length <= Td ? u : Array.from({ length: Td }, (e, t) => Math.round(t * (u.length - 1) / 99)), [m, h] = kd(e, t), g = [m, h], _ = Infinity;
	for (let e of Cd) for (let t of wd) {
		let n = [m + Math.LN10 * e, h + Math.LN10 * (e + t)], r = f(d(n, p));
		r < _ && ([g, _] = [n, r]);
	}
	g = Ad((e) => d(e, u), g);
	let v = u.reduce((e, t) => e + s[t] * (i[t] ** 2 + a[t] ** 2 + o[t] ** 2), 0);
	return {
		pair: l(g),
		error: Math.sqrt(f(d(g, u)) / v)
	};
}
function kd({ times: e, h: t, y: n, w: r }, i) {
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
function Ad(e, t) {
	let n = [...t], r = e(n), i = r.reduce((e, t) => e + t * t, 0), a = .001;
	for (let o = 0; o < Dd; o++) {
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
			let h = [(l * f - s * d) / m, (l * d - o * f) / m], g = (e) => Math.max(t[e] - Ed, Math.min(t[e] + Ed, n[e] + Math.max(-1, Math.min(1, h[e])))), _ = [g(0), g(1)], v = e(_), y = v.reduce((e, t) => e + t * t, 0);
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
var jd = 320, Md = 6e4, Nd = 200, Pd = 1e-4;
function* Fd(e) {
	let t = {
		dx: Z(e, "dx"),
		dy: Z(e, "dy"),
		cosine: Z(e, "cosine"),
		encoder: Z(e, "encoder"),
		decoder: Z(e, "decoder")
	};
	for (let e = .1; e > 1e-12; e /= 3) if (yield* Id(t, e / 4)) return;
}
function* Id(e, t) {
	let n = new vd(e, 1), r = n.loss, i = {
		times: [],
		h: [],
		y: [],
		w: []
	}, a = () => ({
		...i,
		rate: t,
		fit: Od(i, e.dx ** 2, e.dy ** 2)
	}), [o, s] = [1, Md];
	for (let e = 0; e <= s; e++) {
		if (e % o === 0) {
			let { h: r, y: a, w: s } = n.state;
			if (i.times.push(e * t), i.h.push(r), i.y.push(a), i.w.push(s), i.times.length > jd) {
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
		c <= Pd * r && s === Md && (s = Math.min(Md, Math.ceil(1.33 * e) + 4)), (e + 1) % Nd === 0 && (yield a());
	}
	return yield a(), !0;
}
//#endregion
//#region src/topics/points.ts
var Ld = 241, Rd = Array.from({ length: 73 }, (e, t) => 10 ** (-2 + t / 24));
function zd(e, t = Z(e, "encoder"), n = Z(e, "decoder")) {
	let r = Z(e, "dx") ** 2, i = Z(e, "dy") ** 2, a = t ** 2 * r, o = n ** 2 * a;
	return {
		dx: r,
		dy: i,
		rateH: Z(e, "rate_h"),
		rateY: Z(e, "rate_y"),
		h: a,
		y: o,
		w: o - Z(e, "cosine") * Math.sqrt(o * i)
	};
}
function Bd(e) {
	return ld(sd(e), cd(e));
}
function Vd(e, t) {
	let n = zd(e), [r, i] = ud(n), [a, o] = [sd(n), cd(n)], [s, c] = [md(n, .1), md(n, .9)], l = c > 0 ? s / c : 0, u = Math.min(...i.eigenvalues.map(Math.abs)), d = Math.min(Math.max(1.6 * c, c + 4 / u), 4 * c) || 1, f = Array.from({ length: Ld }, (e, t) => d * t / 240), p = fd(n, f), m = fd(pd(n), f), h = {
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
	}], _ = Math.min(...p.h), v = Math.round(Z(e, "moment") * 240), y = f[v], b = _ < .1 * Math.min(n.h, i.h), x = [{
		label: "h",
		y: p.h,
		colour: 0
	}, {
		label: "h for equal targets",
		y: m.h,
		colour: 0,
		role: "reference",
		dash: "dash"
	}];
	return {
		sentence: Gd(n, i.h, l, b) + Wd(t),
		numbers: [
			{
				id: "final",
				label: "final distance h∞",
				value: i.h
			},
			{
				id: "low",
				label: "A low: set by inputs and targets",
				value: o
			},
			{
				id: "high",
				label: "A high: set by the initial weights",
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
				label: "plateau: time to 10 % / time to 90 % learned",
				value: l
			},
			...t ? Hd(t) : []
		],
		charts: [
			{
				kind: "lines",
				id: "h",
				title: "Distance between the two representations",
				x: h,
				y: { label: "h = ‖h₂ − h₁‖²" },
				lines: x,
				moment: y,
				marks: [{
					axis: "y",
					at: i.h,
					label: "h∞",
					side: "left"
				}]
			},
			{
				kind: "lines",
				id: "outputs",
				title: "Distance between the two outputs",
				x: h,
				y: { label: "squared distance" },
				lines: [{
					label: "y = ‖ŷ₂ − ŷ₁‖²",
					y: p.y,
					colour: 2
				}, {
					label: "w = y − (ŷ₂ − ŷ₁)·(y₂ − y₁)",
					y: p.w,
					colour: 3,
					dash: "dash"
				}],
				moment: y,
				marks: [{
					axis: "y",
					at: n.dy,
					label: "target",
					side: "left"
				}]
			},
			...t ? Ud(t) : [],
			{
				kind: "lines",
				id: "error",
				title: "Error of the difference, and its plateau",
				x: h,
				y: { label: "squared error" },
				lines: [{
					label: "2w − y + ‖y₂ − y₁‖²",
					y: p.error,
					colour: 1
				}],
				marks: g,
				moment: y
			},
			{
				kind: "scatter",
				id: "phase",
				title: "Path from the start past the saddle to the end",
				x: { label: "h" },
				y: { label: "w" },
				points: [
					{
						label: "",
						x: p.h[v],
						y: p.w[v],
						colour: 0,
						trail: p.h.slice(0, v + 1).map((e, t) => [e, p.w[t]])
					},
					{
						label: "end",
						x: i.h,
						y: 0,
						colour: 2
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
				title: "Final distance for other initial gains",
				wide: !0,
				x: {
					label: "gain",
					values: Rd,
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
						y: Rd.map((t) => Bd(zd(e, t))),
						colour: 0
					},
					{
						label: "other decoder gains",
						y: Rd.map((t) => Bd(zd(e, void 0, t))),
						colour: 1,
						dash: "dashdot"
					},
					...o > 0 ? [{
						label: "A low, set by inputs and targets",
						y: Rd.map(() => o),
						colour: 2,
						role: "reference",
						dash: "dash"
					}] : []
				],
				marks: [{
					axis: "x",
					at: Z(e, "encoder"),
					label: "encoder",
					colour: 0
				}, {
					axis: "x",
					at: Z(e, "decoder"),
					label: "decoder",
					colour: 1
				}]
			}
		]
	};
}
function Hd({ fit: e, h: t }) {
	return [
		{
			id: "fit_error",
			label: "error of the theory with fitted rates",
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
			value: Bd(e.pair)
		},
		{
			id: "network_final",
			label: "network's h now",
			value: t[t.length - 1]
		}
	];
}
function Ud(e) {
	let { times: t, fit: n } = e, r = fd(n.pair, t), i = {
		label: "flow time of the network",
		values: t
	}, a = (t, n) => [{
		label: `${t}, trained network`,
		y: e[t],
		colour: n,
		role: "trained"
	}, {
		label: `${t}, theory with fitted rates`,
		y: r[t],
		colour: n
	}];
	return [{
		kind: "lines",
		id: "network_h",
		title: "A leaky-ReLU network with these initial gains",
		x: i,
		y: { label: "h = ‖h₂ − h₁‖²" },
		lines: a("h", 0)
	}, {
		kind: "lines",
		id: "network_y",
		title: "Its outputs",
		x: i,
		y: { label: "squared distance" },
		lines: [...a("y", 2), ...a("w", 3).map((e, t) => t ? {
			...e,
			dash: "dash"
		} : e)]
	}];
}
function Wd(e) {
	if (!e) return " The comparison with training appears after a network has been trained.";
	let { error: t } = e.fit, n = Ro(t);
	return t <= .05 ? ` With its two rates fitted, the theory matches the trained network within ${n} of the size of the curves.` : ` With its two rates fitted, the theory differs from the trained network by ${n} of the size of the curves, as the charts below show. The theory treats encoder and decoder as linear maps with constant rates; in a network of this size the rates change during learning.`;
}
function Gd(e, t, n, r) {
	let i = cd(e);
	return `${e.dy === 0 ? t > 0 ? `The targets are equal, but the representations stay ${Q(t)} apart, because the decoder learns to ignore their initial difference` : "The targets are equal and the representations merge, because the encoder learns to remove their difference" : Math.abs(t / i - 1) < .1 ? `The distance ends at ${Q(t)}, set by inputs and targets alone (A low = ${Q(i)}): the rich regime` : t > i ? `The distance ends at ${Q(t)}, above the value ${Q(i)} set by inputs and targets, because large encoder weights persist: the lazy regime` : `The distance ends at ${Q(t)}, below the value ${Q(i)} set by inputs and targets, because a strong decoder needs little difference`}; the error falls ${n > .5 ? "after a long plateau, because it starts near the saddle h = 0" : n > .2 ? "after a short plateau" : "without a plateau"}${r ? ", and on the way the two points nearly merge" : ""}.`;
}
function Kd(e) {
	let [t, n] = [Z(e, "dx"), Z(e, "dy")], r = new Po(7), i = (e) => .7 + Math.min(e, 3) * .8, a = (e, t, n) => n.map((n, i) => r.node({
		x: e,
		y: 3.5 + (i ? t : -t),
		shape: "square",
		colour: i,
		label: n,
		side: e < 5 ? "left" : "right"
	})), [o, s] = [a(3, i(t), ["x₁", "x₂"]), a(17, i(n), ["y₁", "y₂"])], c = i(Math.sqrt(t * n)), l = a(10, c, ["", ""]);
	return r.word(10, 3.5 - c - .95, "h₁"), r.word(10, 3.5 + c + .95, "h₂"), [0, 1].forEach((e) => {
		r.join([o[e]], [l[e]], () => ({
			colour: e,
			weight: 1.6
		})), r.join([l[e]], [s[e]], () => ({
			colour: e,
			weight: 1.6
		}));
	}), r.word(6.5, 3.5, "encoder"), r.word(13.7, 3.5, "decoder"), r.word(3, 8, "inputs"), r.word(10, 8, "representations"), r.word(17, 8, "targets"), r.done("Two inputs pass through an encoder and a decoder; the distances between inputs and between targets are given, the distance between representations is learned.");
}
var qd = {
	id: "two_points",
	title: "Representations",
	question: "How far apart will a network represent two inputs that it learns together?",
	paper: {
		text: "van Rossem & Saxe 2024, When representations align: universality in representation learning dynamics",
		href: "https://arxiv.org/abs/2402.09142"
	},
	terms: [
		"representation",
		"encoder",
		"saddle",
		"rich",
		"flow"
	],
	theory: {
		text: "The theory holds for any architecture whose encoder and decoder are flexible enough to act as linear maps on two nearby points. Three numbers then follow closed equations: the squared distances of the representations (h) and of the outputs (y), and w, which compares outputs with targets. They are solved here in closed form. The point h = 0 is a saddle: small weights stay near it for a while, which gives the plateau. Two numbers set the final distance: A low depends only on inputs and targets, and A high depends on the initial weights. The trained network (4–32–32–32–3, leaky ReLU, representation in the middle) starts with the same gains, distances and cosine. Its two rates are not known in advance and are fitted to its curves.",
		equations: [
			"frac{d h}{d t} = −frac{1}{τ_{h}} dx w",
			"frac{d y}{d t} = −w ( frac{h}{τ_{y}} + frac{1}{τ_{h}} frac{dx y}{h} )",
			"frac{d w}{d t} = −frac{1}{2 τ_{y}} (3 w − y + dy) h − frac{1}{2 τ_{h}} dx frac{(y + w) w}{h}",
			"h_{∞} = frac{1}{2} A_{high} + sqrt{frac{1}{4} A_{high}^{2} + A_{low}^{2}}",
			"A_{high} = h_{0} − frac{τ_{y}}{τ_{h}} frac{dx y_{0}}{h_{0}},  A_{low}^{2} = frac{τ_{y}}{τ_{h}} dx dy"
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
			value: .3,
			log: !0,
			help: "‖h₂ − h₁‖ / ‖x₂ − x₁‖ at time 0."
		},
		{
			kind: "slider",
			id: "decoder",
			label: "Decoder gain",
			min: .01,
			max: 10,
			step: .05,
			value: .3,
			log: !0,
			help: "‖ŷ₂ − ŷ₁‖ / ‖h₂ − h₁‖ at time 0."
		},
		{
			kind: "slider",
			id: "cosine",
			more: !0,
			label: "Initial cosine",
			min: -1,
			max: 1,
			step: .05,
			value: 0,
			help: "Cosine between the difference of the outputs and the difference of the targets at time 0; if it is negative the points must first merge."
		},
		{
			kind: "slider",
			id: "dx",
			more: !0,
			label: "Distance between inputs",
			min: .1,
			max: 3,
			step: .05,
			value: .5,
			help: "‖x₂ − x₁‖."
		},
		{
			kind: "slider",
			id: "dy",
			more: !0,
			label: "Distance between targets",
			min: 0,
			max: 3,
			step: .05,
			value: .5,
			help: "‖y₂ − y₁‖."
		},
		{
			kind: "slider",
			id: "rate_h",
			more: !0,
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
			more: !0,
			label: "Decoder rate 1/τy",
			min: .05,
			max: 5,
			step: .05,
			value: .5,
			log: !0,
			help: "Effective learning rate of the decoder."
		},
		No((e) => `${Math.round(100 * e)} %`)
	],
	schematic: Kd,
	main: ["network_h", "h"],
	ask: {
		prompt: "A network with small weights learns different targets for two inputs. What decides how far apart it will represent them in the end?",
		options: ["Its initial weights", "The distances between inputs and between targets alone"],
		right: (e) => {
			let t = zd(e);
			return +(Math.abs(Bd(t) / cd(t) - 1) < .1);
		},
		because: "From small weights every network passes close to the same saddle, where it has forgotten its initial weights."
	},
	view: Vd,
	live: {
		label: "Train a leaky-ReLU network",
		fitted: "The form of its line is predicted; its two rates cannot be known in advance and are fitted.",
		key: (e) => [
			"encoder",
			"decoder",
			"cosine",
			"dx",
			"dy"
		].map((t) => e[t]).join(" "),
		run: Fd
	},
	python: (e) => {
		let { rateH: t, rateY: n } = zd(e), r = (t) => zo(Z(e, t));
		return [
			"import scipy",
			"",
			"import festina as fs",
			"",
			`dx, dy = ${r("dx")} ** 2, ${r("dy")} ** 2`,
			`h = ${r("encoder")} ** 2 * dx`,
			`y = ${r("decoder")} ** 2 * h`,
			`w = y - ${r("cosine")} * (y * dy) ** 0.5`,
			`pair = fs.representation.TwoPoint(dx=dx, dy=dy, rates=(${t}, ${n}), start=(h, y, w))`,
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
}, Jd = Math.sqrt(2 / 3);
function Yd(e) {
	return {
		name: "linear",
		pathways: 2,
		s: e / 2,
		d: e * e / 2
	};
}
function Xd(e) {
	let t = 2 + e * e;
	return {
		name: "xor",
		pathways: 4,
		s: Math.sqrt(t) / 4,
		d: t / 4
	};
}
function Zd(e, t, n, r) {
	return r === 0 ? 0 : r / (r * (t > 0 ? -Math.expm1(-2 * t * e) * n / t : 2 * n * e) + Math.exp(-2 * t * e));
}
function Qd(e, t) {
	return e > 0 ? Math.log1p(t * e) / e : t;
}
function $d(e, t, n) {
	return Math.floor(t / e.pathways) * n * n / 2;
}
function ef(e, t, n, r) {
	let { pathways: i, s: a, d: o } = e;
	if (a === 0) return .5;
	let s = Zd(t * Qd(a, n), a, o, r);
	return .5 - i * a * s + .5 * i * o * s * s;
}
function tf(e, t, n, r) {
	let { s: i, d: a } = e;
	if (i === 0 || r === 0) return Infinity;
	let o = 1 - Math.sqrt(2 * t), s = r * a / i;
	return s >= o ? 0 : Math.log(o * (1 - s) / (s * (1 - o))) / (2 * i) / Qd(i, n);
}
//#endregion
//#region src/topics/race.ts
var nf = .2, rf = 5, af = Array.from({ length: 13 }, (e, t) => t / 4), of = 3, sf = 3, cf = 1e-6, lf = 1.3, uf = 3, df = 1e5, ff = .8, pf = .1;
function mf(e) {
	let [t, n, r] = [
		Z(e, "delta"),
		Z(e, "units"),
		Z(e, "rate")
	], i = Z(e, "scale") / Math.sqrt(n), a = [Yd(t), Xd(t)].map((e) => tf(e, nf, r, $d(e, n, i))), o = Math.max(10, Math.ceil(Math.min(lf * Math.max(...a), uf * Math.min(...a))));
	return {
		delta: t,
		units: n,
		rate: r,
		std: i,
		last: o,
		every: Math.ceil(o / 300)
	};
}
function hf({ last: e, every: t }) {
	return Array.from({ length: Math.floor(e / t) + 1 }, (e, n) => n * t);
}
function* gf(e) {
	let t = mf(e), { units: n, rate: r, std: i, every: a } = t, o = hf(t), s = Math.max(1, Math.round(df / n)), c = Cs(t.delta), l = Array.from({ length: rf }, (e, t) => ss.random(c, n, i, t)), u = l.map((e) => [e.loss()]), d = 0;
	for (let e = 1; e < o.length; e++) l.forEach((e, t) => {
		for (let t = 0; t < a; t++) e.step(r);
		u[t].push(e.loss());
	}), d += a * rf, !(d < s) && (d = 0, yield {
		steps: o.slice(0, e + 1),
		losses: u.map((e) => [...e]),
		sweep: []
	});
	let f = {
		steps: o,
		losses: u,
		shares: _f(l)
	}, p = [];
	yield {
		...f,
		sweep: []
	};
	for (let e of af) {
		let t = Array.from({ length: of }, (t, a) => {
			let s = ss.random(Cs(e), n, i, a), c = [s.loss()], l = o.at(-1);
			for (let e = 0; e < l && c[e] > nf; e++) s.step(r), c.push(s.loss());
			return Es(Array.from(c.keys()), c, nf);
		});
		p.push(t.reduce((e, t) => e + t, 0) / of), yield {
			...f,
			sweep: [...p]
		};
	}
}
function _f(e) {
	let t = {
		xor: 0,
		linear: 0
	};
	for (let n of e) {
		let r = n.sizes(), i = r.reduce((e, t) => e + t, 0);
		r.forEach((r, a) => {
			let o = n.activity.subarray(4 * a, 4 * a + 4), s = Math.max(...o), c = Array.from(o, (e) => +(e > pf * s)).join(""), l = r / i / e.length;
			c === "0110" || c === "1001" ? t.linear += l : c.replaceAll("0", "") === "1" && (t.xor += l);
		});
	}
	return t;
}
var vf = (e) => Number.isFinite(e) ? `${Math.round(e)}` : "never", yf = (e) => Number.isFinite(e) ? e.toFixed(1) : "never";
function bf(e) {
	let t = e.reduce((e, t) => e + t, 0) / e.length;
	return [t, Math.sqrt(e.reduce((e, n) => e + (n - t) ** 2, 0) / e.length)];
}
function xf(e) {
	let { delta: t } = mf(e), n = new Po(8);
	[
		[1, 1],
		[4, 1],
		[1, 4],
		[4, 4]
	].forEach(([e, t], r) => n.node({
		x: e,
		y: t + 1.2,
		shape: "square",
		colour: +(r === 1 || r === 2)
	})), n.word(2.5, .8, "XOR in two inputs"), n.word(2.5, 6.8, `third input ±Δ = ${t.toFixed(2)}`);
	let r = n.column(9, Fo(3), "inputs"), i = n.column(13, Fo(5), "ReLU units"), a = n.column(17, Fo(1), "output");
	return n.join(r, i, () => ({ weight: .8 })), n.join(i, a, () => ({ weight: .8 })), n.done("Four points of two classes (blue and vermilion) form XOR in two inputs and are separable, with margin 2Δ, in a third. A ReLU network with one hidden layer learns the classes.");
}
var Sf = {
	id: "race",
	title: "Gates",
	question: "When does a ReLU network switch from linear to XOR gating?",
	paper: {
		text: "Jarvis, Klein, Rosman and Saxe 2025, section 3",
		href: "https://arxiv.org/abs/2503.06181"
	},
	terms: [
		"relu",
		"gating",
		"xor",
		"singular",
		"loss",
		"area"
	],
	theory: {
		text: "Four points form XOR in two inputs and are linearly separable, with margin 2Δ, in a third. Two gatings compete: two pathways by the sign of the target (linear), or one pathway per data point (XOR). Each pathway is a linear network with one mode, solved in closed form. For n units with random weights its initial strength is nσ²/2. It grows at the rate of its singular value s; a finite step η slows it slightly. Nothing is fitted.",
		equations: [
			"a(t) = frac{s / d}{1 − (1 − frac{s}{d a_{0}}) e^{−2 s t}},  t = \"steps\" · frac{ln(1 + η s)}{s},  a_{0} = frac{n σ^{2}}{2}",
			"\"linear:\"  s = frac{Δ}{2},  d = frac{Δ^{2}}{2},  n = frac{N}{2},  L = frac{1}{2} − Δ a + frac{1}{2} Δ^{2} a^{2}",
			"\"XOR:\"  s = frac{sqrt{2 + Δ^{2}}}{4},  d = frac{2 + Δ^{2}}{4},  n = frac{N}{4},  L = frac{1}{2} − 4 s a + 2 d a^{2}",
			"\"the winner changes where both s are equal:\"  Δ = sqrt{2/3}"
		]
	},
	controls: [
		{
			kind: "slider",
			id: "delta",
			label: "Margin Δ",
			help: "How far apart the classes are in the third input; at 0 the task is XOR.",
			min: 0,
			max: sf,
			step: .05,
			value: .5,
			format: (e) => e.toFixed(2)
		},
		{
			kind: "slider",
			id: "scale",
			label: "Initial scale σ√N",
			help: "Standard deviation σ of the initial weights times √N, for N hidden units; 2×10⁻⁴ in the paper.",
			min: cf,
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
		},
		No((e) => `${Math.round(100 * e)} %`)
	],
	schematic: xf,
	ask: {
		prompt: "Four points can be separated by a line, with a small margin, or point by point, as XOR. Which solution will a ReLU network with small initial weights find at margin Δ = 0.5?",
		options: ["Draw the line: it is the simpler solution", "Learn point by point: it is the faster solution"],
		right: (e) => {
			let { delta: t, units: n, std: r, rate: i } = mf(e), [a, o] = [Yd(t), Xd(t)].map((e) => tf(e, nf, i, $d(e, n, r)));
			return a < o ? 0 : 1;
		},
		because: "Pathways compete. The one with the larger singular value grows faster and learns the task, whether or not it is simpler. Below Δ = √(2/3) that is XOR."
	},
	view(e, t) {
		let n = mf(e), { delta: r, units: i, rate: a, std: o, last: s } = n, c = hf(n), [l, u] = [Yd(r), Xd(r)].map((e) => {
			let t = $d(e, i, o), n = tf(e, nf, a, t);
			return {
				s: e.s,
				time: n,
				loss: c.map((n) => ef(e, n, a, t))
			};
		}), d = t?.losses.map((e) => Es(t.steps, e, nf)) ?? [], f = d.length > 0 && d.every(Number.isFinite), [p, m] = f ? bf(d) : [NaN, NaN], h = t?.shares && t.steps.map((e, n) => t.losses.reduce((e, t) => e + t[n], 0) / t.losses.length), g = h && Ds(t.steps, l.time < u.time ? l.loss : u.loss, h), _ = s * Z(e, "moment"), v = (t?.losses ?? []).map((e, n) => ({
			label: n ? `ReLU network, seed ${n}` : `ReLU networks, ${i} units`,
			x: t.steps,
			y: e,
			colour: 6,
			role: "trained",
			among: rf,
			quiet: n > 0
		})), y = Array.from({ length: 121 }, (e, t) => t * sf / 120), b = (e) => y.map((t) => {
			let n = e(t), r = tf(n, nf, a, $d(n, i, o));
			return r <= 2 * s ? r : NaN;
		});
		return {
			sentence: Cf(n, l.time, u.time, f ? [p, m] : void 0, t?.shares, g),
			numbers: [
				{
					id: "steps_linear",
					label: `linear gating, steps to loss ${nf}`,
					value: l.time,
					format: yf
				},
				{
					id: "steps_xor",
					label: `XOR gating, steps to loss ${nf}`,
					value: u.time,
					format: yf
				},
				...f ? [{
					id: "steps_relu",
					label: `ReLU networks, mean of ${rf}`,
					value: p,
					format: yf
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
					value: Jd
				},
				...g === void 0 ? [] : [{
					id: "area",
					label: "area between the faster gating and the networks (∫|ΔL|/∫L)",
					value: g
				}]
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
				y: { label: "loss" },
				moment: _,
				lines: [
					...v,
					{
						label: "linear gating, predicted",
						y: l.loss,
						colour: 0
					},
					{
						label: "XOR gating, predicted",
						y: u.loss,
						colour: 1,
						dash: "dash"
					}
				],
				marks: [{
					axis: "y",
					at: nf,
					label: "learned",
					side: "left"
				}]
			}, {
				kind: "lines",
				id: "time",
				title: "Learning time by margin",
				x: {
					label: "margin Δ",
					values: y,
					range: [0, sf]
				},
				y: { label: `steps to loss ${nf}` },
				lines: [
					...t?.sweep.length ? [{
						label: `ReLU networks, mean of ${of}`,
						x: af.slice(0, t.sweep.length),
						y: t.sweep,
						colour: 6,
						role: "trained"
					}] : [],
					{
						label: "linear gating",
						y: b(Yd),
						colour: 0
					},
					{
						label: "XOR gating",
						y: b(Xd),
						colour: 1,
						dash: "dash"
					}
				],
				marks: [{
					axis: "x",
					at: Jd,
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
		label: `Train ${Bo[rf]} ReLU networks`,
		key: (e) => [
			"delta",
			"scale",
			"units",
			"rate"
		].map((t) => e[t]).join(),
		run: gf
	},
	python(e) {
		let { delta: t, units: n, rate: r } = mf(e);
		return [
			"import numpy as np",
			"import festina as fs",
			"",
			`task = fs.tasks.extended_xor(${t})`,
			`std, units, rate = ${Z(e, "scale")} / np.sqrt(${n}), ${n}, ${r}`,
			"sign = task.y[:, 0]",
			"gatings = {\"linear\": np.array([sign > 0, sign < 0]), \"xor\": np.eye(4)}",
			"numbers = {\"crossover\": float(np.sqrt(2 / 3))}",
			"for name, gates in gatings.items():",
			"    network = fs.gated.pathways(gates, 1, initial=fs.initial.Gaussian(std))",
			"    own = task.statistics(network).effective[0]",
			"    s, d = (own.strengths[0], own.curvatures[0]) if own.rank else (0.0, 0.0)",
			"    start = units // len(gates) * std**2 / 2",
			`    end = s / d * (1 - np.sqrt(2 * ${nf})) if s else np.inf`,
			"    time = fs.linear.time_to_strength(max(end, start), s, d, start) if s else np.inf",
			"    numbers[f\"s_{name}\"] = float(s)",
			"    numbers[f\"steps_{name}\"] = float(time * s / np.log1p(rate * s)) if s else np.inf"
		].join("\n");
	}
};
function Cf({ delta: e, rate: t }, n, r, i, a, o) {
	let s = Math.min(n, r), c = Math.max(n, r), [l, u] = n < r ? ["linear", "XOR"] : ["XOR", "linear"], d = e < Jd ? "below" : "above", f = c - s < .5 ? `At Δ = ${e.toFixed(2)} both gatings learn in ${vf(s)} steps` : `At Δ = ${e.toFixed(2)}, ${d} the crossover √(2/3) ≈ 0.82, the ${l} gating wins: it learns in ${vf(s)} steps, the ${u} one ${Number.isFinite(c) ? `in ${vf(c)}` : "never"}`, p = "networks with weights this large start in the middle of learning, while the prediction starts pathways at their mean strength";
	if (!i) return `${f}${a ? "; the ReLU networks have not learned in the time shown" : ""}.${Vo(o, "The trained ReLU networks", p, !0)}`;
	let [m, h] = i, g = m - s, _ = o === void 0 || o <= .1, v = Math.abs(g) * t <= ff && _ ? "as predicted" : `${Math.abs(g).toFixed(1)} ${g > 0 ? "later" : "earlier"} than predicted`, y = `${f}; the trained ReLU networks take ${m.toFixed(1)} ± ${h.toFixed(1)}, ${v}`;
	if (!a) return `${y}.`;
	let [b, x] = a.xor > a.linear ? [a.xor, "respond to one point only"] : [a.linear, "respond to both points of one sign"];
	return `${y}; units that ${x} carry ${Ro(b)} of their map.${_ ? "" : Vo(o, "Their loss", p)}`;
}
var wf = 1e-9, Tf = 1e-9;
function Ef(e, t) {
	let n = [], [r, i] = ["", !1];
	for (let a of e) a === "\"" ? i = !i : a === t && !i ? (n.push(r.trim()), r = "") : r += a;
	return [...n, r.trim()];
}
var Df = (e) => e !== "" && Number.isFinite(Number(e));
function Of(e) {
	let t = e.split(/\r\n|\n|\r/).filter((e) => e.trim() !== "");
	if (t.length < 4) return "The table needs at least four lines: one per data point, and columns separated by commas, semicolons or tabs.";
	let n = [
		"	",
		";",
		","
	].find((e) => t[0].includes(e));
	if (n === void 0) return "The first line has a single column; separate columns by commas, semicolons or tabs.";
	let r = t.map((e) => Ef(e, n)), i = r[0].length, a = r.findIndex((e) => e.length !== i);
	if (a >= 0) return `Line ${a + 1} has ${r[a].length} cells, the first line has ${i}.`;
	let o = r[0].every((e) => !Df(e)), s = o ? r[0] : r[0].map((e, t) => `column ${t + 1}`);
	o && (r = r.slice(1));
	let c = r.every((e) => !Df(e[0]));
	c && (r = r.map((e) => e.slice(1)));
	let l = c ? s.slice(1) : s;
	if (l.length < 2) return "The table needs at least two columns of numbers: an input and a target.";
	if (l.length > 24) return `The table has ${l.length} columns of numbers; up to 24 can be shown here.`;
	if (r.length > 500) return `The table has ${r.length} data points; up to 500 can be trained on here.`;
	for (let [e, t] of r.entries()) for (let [n, r] of t.entries()) if (!Df(r)) return `Data point ${e + 1}, column “${l[n]}”: “${r.slice(0, 20)}” is not a number.`;
	let u = r.map((e) => e.map(Number)), d = l.findIndex((e, t) => u.every((e) => e[t] === u[0][t]));
	return d >= 0 ? `Column “${l[d]}” has the same value in every data point; leave it out.` : {
		names: l,
		rows: u
	};
}
function kf(e) {
	let t = $(e.length, e[0].length);
	for (let n = 0; n < t.columns; n++) {
		let r = e.reduce((e, t) => e + t[n], 0) / e.length, i = Math.sqrt(e.reduce((e, t) => e + (t[n] - r) ** 2, 0) / e.length);
		e.forEach((e, a) => t.data[a * t.columns + n] = (e[n] - r) / i);
	}
	return t;
}
function Af({ rows: e }, t, n) {
	let r = e.length, i = kf(e.map((e) => e.slice(0, -t))), a = kf(e.map((e) => e.slice(-t))), { values: o, vectors: s } = fl(ol(il(i, i), 1 / r)), c = Array.from(o.keys()).filter((e) => o[e] > wf * o[0]), l = $(i.columns, c.length);
	c.forEach((e, t) => {
		for (let r = 0; r < i.columns; r++) l.data[r * c.length + t] = s.data[r * s.columns + e] / (n ? Math.sqrt(o[e]) : 1);
	});
	let u = rl(i, l), d = ol(il(u, u), 1 / r), f = ol(il(a, u), 1 / r), p = ml(f), m = p.values.filter((e) => e > Tf * p.values[0]).length, h = Array.from(p.values.slice(0, m)), g = rl(d, p.right), _ = h.map((e, t) => {
		let n = 0;
		for (let e = 0; e < d.rows; e++) n += p.right.data[e * p.right.columns + t] * g.data[e * g.columns + t];
		return n;
	}), v = ol(il(i, rl(u, p.right)), 1 / r), y = h.map((e, t) => Array.from({ length: i.columns }, (e, n) => v.data[n * v.columns + t] / Math.sqrt(_[t]))), b = a.data.reduce((e, t) => e + t * t, 0) / r, x = 0;
	for (let e = 0; e < f.rows; e++) for (let t = 0; t < f.columns; t++) x += f.data[e * f.columns + t] ** 2 / d.data[t * d.columns + t];
	let S = (e) => ({
		rows: e.rows,
		columns: m,
		data: Float64Array.from({ length: e.rows * m }, (t, n) => e.data[Math.floor(n / m) * e.columns + n % m])
	});
	return {
		inputs: d,
		cross: f,
		power: b,
		s: h,
		d: _,
		left: S(p.left),
		right: S(p.right),
		reads: y,
		least: .5 * Math.max(0, b - x)
	};
}
//#endregion
//#region src/learn/regression.ts
var jf = class {
	inputs;
	cross;
	power;
	first;
	second;
	map;
	miss;
	seen;
	up;
	down;
	constructor(e, t, n, r, i) {
		this.inputs = n, this.cross = r, this.power = i, [this.first, this.second] = [el(e), el(t)], this.map = $(r.rows, r.columns), this.miss = $(r.rows, r.columns), this.seen = $(r.rows, r.columns), this.up = $(t.rows, t.columns), this.down = $(e.rows, e.columns), this.refresh();
	}
	refresh() {
		rl(this.second, this.first, this.map), rl(this.map, this.inputs, this.seen);
		for (let e = 0; e < this.miss.data.length; e++) this.miss.data[e] = this.cross.data[e] - this.seen.data[e];
	}
	get loss() {
		return .5 * (this.power - 2 * sl(this.map, this.cross) + sl(this.map, this.seen));
	}
	step(e) {
		il(this.second, this.miss, this.down), al(this.miss, this.first, this.up);
		for (let t = 0; t < this.first.data.length; t++) this.first.data[t] += e * this.down.data[t];
		for (let t = 0; t < this.second.data.length; t++) this.second.data[t] += e * this.up.data[t];
		this.refresh();
	}
}, Mf = 6e4, Nf = 6e6, Pf = (e) => [
	"table",
	"targets",
	"inputs",
	"start",
	"weights"
].map((t) => e[t]).join("\n"), Ff;
function If(e) {
	let t = Pf(e);
	if (Ff?.key !== t) {
		let n = Of(Ao(e, "table"));
		if (typeof n == "string") throw Error(n);
		let r = Ao(e, "inputs") === "white", i = Af(n, Z(e, "targets"), r), a = Z(e, "start") * i.s[0] / i.d[0], o = i.s.slice(0, 6).filter((e) => e > .02 * i.s[0]), s = Mo(Math.max(...o.map((e, t) => rc(.98 * e / i.d[t], {
			s: e,
			d: i.d[t]
		}, Math.min(a, .5 * e / i.d[t]), 2))));
		Ff = {
			key: t,
			setting: {
				table: n,
				task: i,
				start: a,
				white: r,
				times: Array.from({ length: 201 }, (e, t) => s * t / 200)
			}
		};
	}
	return Ff.setting;
}
function Lf({ task: e, start: t }, n) {
	return e.s.map((r, i) => ec(n, {
		s: r,
		d: e.d[i]
	}, t, 2));
}
function Rf({ task: e }, t, n) {
	return t.reduce((t, r, i) => t - e.s[i] * r[n] + .5 * e.d[i] * r[n] ** 2, .5 * e.power);
}
function* zf(e) {
	let t = If(e), { task: n, start: r, times: i } = t, a = i[i.length - 1], [o, s, c] = [
		n.cross.columns,
		n.cross.rows,
		n.s.length
	], l = Math.max(o, s), u = So(11), d = Math.sqrt(2 * r / l), [f, p] = Ao(e, "weights") === "random" ? [Jl(l, o, d, u), Jl(s, l, d, u)] : Xl(n.right, n.left, Math.max(l, c), 2, r, u), m = new jf(f, p, n.inputs, n.cross, n.power), h = 2 * Math.max(...Array.from({ length: o }, (e, t) => n.inputs.data[t * o + t])) * Math.max(...n.s.map((e, t) => e / n.d[t])), g = Math.min(Math.max(.05 / h, Math.min(a / Mf, .5 / h)), a / 600), _ = Math.ceil(a / g), v = {
		times: [],
		loss: [],
		strengths: n.s.map(() => []),
		expected: []
	}, y = (e) => {
		v.times.push(e * g), v.loss.push(m.loss), Ql(m.map, n.left, n.right).forEach((e, t) => v.strengths[t].push(e)), v.expected.push(Rf(t, Lf(t, [e * g]), 0));
	}, b = 4 * l * o * s + s * o * o, [x, S] = [0, 0];
	for (let e = 0; e <= _; e++) (e >= S || e === _) && (y(e), S = Math.max(e + 1, Math.round(v.times.length * _ / 159))), e < _ && m.step(g), x += b, x > Nf && (x = 0, yield { ...v });
	yield { ...v };
}
//#endregion
//#region src/topics/your_data.ts
var Bf = "garden,sun,rain,soil,height,leaves,flowers\nA,8.1,3.2,6.1,41,18,9\nB,7.4,4.1,5.2,38,20,8\nC,3.0,7.7,6.6,30,31,2\nD,5.2,5.9,3.1,27,22,4\nE,9.0,2.1,4.4,36,12,10\nF,2.1,8.4,5.0,22,33,1\nG,6.6,5.0,7.3,45,27,7\nH,4.4,6.8,2.2,20,23,3\nI,7.9,3.9,3.0,30,15,8\nJ,3.7,7.1,7.9,38,34,3\nK,5.9,4.6,4.8,33,21,6\nL,8.6,2.8,7.0,46,19,10\n";
function Vf(e, t) {
	let n = If(e), { table: r, task: i, times: a, start: o } = n, s = Z(e, "targets"), [c, l] = [r.names.slice(0, -s), r.names.slice(-s)], u = Lf(n, a), d = a.map((e, t) => Rf(n, u, t)), f = Math.round(Z(e, "moment") * 200), p = a[f], m = {
		label: "flow time",
		values: a,
		range: [0, a[200]]
	}, h = i.s.slice(0, 6), g = h.map((e, t) => rc(.5 * e / i.d[t], {
		s: e,
		d: i.d[t]
	}, Math.min(o, .5 * e / i.d[t]), 2)), _ = t && t.times.length > 2 ? t : void 0, v = _ && Ds(_.times, _.expected, _.loss), y = (e) => `mode ${e + 1}`, b = h.map((e, t) => l.map((e, n) => i.left.data[n * i.left.columns + t])), x = (e) => `${y(e)}: ${Hf(c[Uf(i.reads[e])])} → ${Hf(l[Uf(b[e])])}`, S = 1 - i.least / (.5 * i.power), C = [
		{
			id: "points",
			label: "data points",
			value: r.rows.length
		},
		{
			id: "s_first",
			label: "strongest mode, singular value",
			value: i.s[0]
		},
		{
			id: "first",
			label: "strongest mode half learned",
			value: g[0],
			unit: "flow time"
		},
		{
			id: "least",
			label: "lowest loss of a linear map",
			value: i.least
		},
		{
			id: "loss",
			label: "predicted loss at this time",
			value: d[f]
		},
		...v === void 0 ? [] : [{
			id: "area",
			label: "area between prediction and network (∫|ΔL|/∫L)",
			value: v
		}]
	], w = (e, t, n, r, i) => ({
		kind: "heat",
		id: e,
		title: t,
		label: i,
		matrix: n,
		rows: h.map((e, t) => y(t)),
		columns: r,
		bound: 1
	});
	return {
		sentence: Wf(e, g, S, v),
		numbers: C,
		charts: [
			{
				kind: "lines",
				id: "loss",
				title: "Loss",
				wide: !0,
				x: m,
				y: { label: "loss" },
				moment: p,
				lines: [..._ ? [{
					label: "trained network",
					x: _.times,
					y: _.loss,
					colour: 6,
					role: "trained"
				}] : [], {
					label: "prediction",
					y: d,
					colour: 6
				}],
				marks: [{
					axis: "y",
					at: i.least,
					label: "lowest possible",
					side: "left"
				}]
			},
			{
				kind: "lines",
				id: "strengths",
				title: "Strength of each mode",
				wide: !0,
				x: m,
				y: { label: "strength a" },
				moment: p,
				lines: [..._ ? h.map((e, t) => ({
					label: "trained network",
					x: _.times,
					y: _.strengths[t],
					colour: 7 + t,
					role: "trained",
					quiet: !0
				})) : [], ...h.map((e, t) => ({
					label: `${x(t)} (s = ${Q(e)})`,
					y: u[t],
					colour: 7 + t
				}))]
			},
			w("reads", "Which inputs each mode reads", i.reads.slice(0, 6), c, "correlation"),
			w("writes", "Which outputs each mode drives", b, l, "entry of u")
		]
	};
}
var Hf = (e) => e.length > 9 ? `${e.slice(0, 8)}…` : e, Uf = (e) => e.reduce((t, n, r) => Math.abs(n) > Math.abs(e[t]) ? r : t, 0);
function Wf(e, t, n, r) {
	let { task: i, white: a, table: o, times: s } = If(e), c = i.s.length === 1 ? "one mode" : `${Bo[i.s.length] ?? i.s.length} modes`, [l, u] = [t[t.length - 1], s[200]], d = l > u ? `, long after the end of the charts at ${Q(u)}` : "", f = t.length > 1 ? `; the strongest is half learned at t = ${Q(t[0])}, ${t.length > 2 ? "the weakest shown" : "the other"} at ${Q(l)}${d}` : `, half learned at t = ${Q(t[0])}`, p = Ao(e, "weights") === "random" ? "random weights must first align with the modes" : a ? "the training step is not small" : "these inputs are correlated, so modes affect each other, while the theory treats them as independent (whiten the inputs to see the difference)";
	return `This table of ${o.rows.length} data points has ${c}${f}; the best linear map explains ${Ro(n)} of the targets' variance.${Vo(r, "The trained network", p)}`;
}
function Gf(e) {
	let { table: t, task: n } = If(e), r = Z(e, "targets"), [i, a] = [t.names.slice(0, -r), t.names.slice(-r)], o = new Po(8), s = (e) => e.slice(0, 7).map(Hf), c = o.column(5, s(i), "inputs", () => ({ side: "left" })), l = o.column(9, Fo(Math.min(6, Math.max(n.cross.columns, n.cross.rows))), "hidden units"), u = o.column(13, s(a), "targets", () => ({ side: "right" }));
	return o.join(c, l, () => ({ weight: .8 })), o.join(l, u, () => ({ weight: .8 })), o.done(`A linear network of two layers learns your ${a.length === 1 ? "target column" : `${a.length} target columns`} from ${i.length === 1 ? "one input column" : `${i.length} input columns`}.`);
}
//#endregion
//#region src/topics/index.ts
var Kf = [
	od,
	ou,
	Sf,
	Js,
	qd,
	Xc,
	as,
	{
		id: "your_data",
		title: "Your data",
		question: "What would a network learn first from your own table?",
		paper: {
			text: "Saxe, McClelland & Ganguli 2014, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks",
			href: "https://arxiv.org/abs/1312.6120"
		},
		terms: [
			"mode",
			"strength",
			"singular",
			"white",
			"loss",
			"flow",
			"area"
		],
		theory: {
			text: "Columns are centred and divided by their standard deviation. The correlation of targets with inputs is a sum of modes. From small weights each mode grows independently, and strong modes grow first. This is exact if the inputs are whitened: uncorrelated and of equal variance. For other inputs the curvature of a mode is the variance of the inputs along it, which is an approximation. Your table stays in this page: it is not sent anywhere, and links do not contain it.",
			equations: ["Σ_{yx} = U S V^{T},  d = v^{T} Σ_{x} v", "a(t) = frac{s / d}{1 − (1 − frac{s}{d a_{0}}) e^{−2 s t}},  L = frac{1}{2} ⟨y^{2}⟩ − Σ ( s a − frac{1}{2} d a^{2} )"]
		},
		controls(e) {
			let t = Of(typeof e.table == "string" ? e.table : Bf), n = typeof t == "string" ? 2 : t.names.length;
			return [
				{
					kind: "text",
					id: "table",
					label: "Your table (CSV)",
					value: Bf,
					help: "Paste a table or open a file: one data point per line, with the targets in the last columns. Names in the first line and first column are optional. The table stays on your computer.",
					refuse: (e) => {
						let t = Of(e);
						return typeof t == "string" ? t : void 0;
					}
				},
				{
					kind: "slider",
					id: "targets",
					label: "Target columns",
					min: 1,
					max: Math.max(2, n - 1),
					step: 1,
					value: Math.min(3, Math.floor(n / 2)),
					help: "Number of last columns that the network learns from the others."
				},
				{
					kind: "choice",
					id: "inputs",
					label: "Inputs",
					value: "white",
					options: [{
						value: "white",
						label: "whitened"
					}, {
						value: "standard",
						label: "standardised"
					}],
					help: "Whitened inputs are uncorrelated and have equal variance, as the theory assumes; standardised inputs keep their correlations."
				},
				{
					kind: "slider",
					id: "start",
					label: "Initial strength",
					min: 1e-5,
					max: .2,
					step: .05,
					value: .001,
					log: !0,
					help: "Strength of every mode at time 0, as a fraction of the final strength of the strongest mode."
				},
				{
					kind: "choice",
					id: "weights",
					label: "Initial weights of the trained network",
					value: "aligned",
					options: [{
						value: "aligned",
						label: "aligned"
					}, {
						value: "random",
						label: "random"
					}],
					help: "The prediction assumes weights that are aligned with the modes."
				},
				No((e) => `${Math.round(100 * e)} %`)
			];
		},
		schematic: Gf,
		view: Vf,
		live: {
			label: "Train a linear network",
			key: Pf,
			run: zf
		},
		python: (e) => {
			let { table: t, times: n, white: r } = If(e), i = Z(e, "targets"), a = Math.round(Z(e, "moment") * 200);
			return [
				"import numpy as np",
				"",
				"import festina as fs",
				"",
				`table = np.array(${JSON.stringify(t.rows)})`,
				"table = (table - table.mean(axis=0)) / table.std(axis=0)",
				`x, y = table[:, :-${i}], table[:, -${i}:]`,
				...r ? [
					"variances, axes = np.linalg.eigh(x.T @ x / len(x))",
					"kept = variances > 1e-9 * variances.max()",
					"x = x @ axes[:, kept] / np.sqrt(variances[kept])"
				] : [],
				"task = fs.Task(x, y)",
				"s, d = task.statistics.strengths, task.statistics.curvatures",
				`start = ${zo(Z(e, "start"))} * s[0] / d[0]`,
				`a = fs.linear.strength(${zo(n[a])}, s, d, start, 2)`,
				"numbers = {",
				"    \"points\": len(table),",
				"    \"s_first\": float(s[0]),",
				"    \"first\": float(fs.linear.time_to_strength(0.5 * s[0] / d[0], s[0], d[0], start, 2)),",
				"    \"least\": float(task.statistics.floor),",
				"    \"loss\": float(0.5 * task.statistics.power - sum(s * a - 0.5 * d * a**2)),",
				"}"
			].join("\n");
		}
	}
];
//#endregion
//#region src/widget.ts
function qf({ model: e, el: t }) {
	let n = Kf.find(({ id: t }) => t === e.get("topic"));
	if (!n) throw Error(`there is no topic ${String(e.get("topic"))}`);
	let r = X("div", { class: "festina notebook" });
	t.append(X("style", {}, ".uplot,.uplot *,.uplot :before,.uplot :after{box-sizing:border-box}.uplot{width:min-content;font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,Noto Sans,sans-serif,Apple Color Emoji,Segoe UI Emoji,Segoe UI Symbol,Noto Color Emoji;line-height:1.5}.u-title{text-align:center;font-size:18px;font-weight:700}.u-wrap{-webkit-user-select:none;user-select:none;position:relative}.u-over,.u-under{position:absolute}.u-under{overflow:hidden}.uplot canvas{width:100%;height:100%;display:block;position:relative}.u-axis{position:absolute}.u-legend{text-align:center;margin:auto;font-size:14px}.u-inline{display:block}.u-inline *{display:inline-block}.u-inline tr{margin-right:16px}.u-legend th{font-weight:600}.u-legend th>*{vertical-align:middle;display:inline-block}.u-legend .u-marker{width:1em;height:1em;margin-right:4px;background-clip:padding-box!important}.u-inline.u-live th:after{content:\":\";vertical-align:middle}.u-inline:not(.u-live) .u-value{display:none}.u-series>*{padding:4px}.u-series th{cursor:pointer}.u-legend .u-off>*{opacity:.3}.u-select{pointer-events:none;background:#00000012;position:absolute}.u-cursor-x,.u-cursor-y{pointer-events:none;will-change:transform;position:absolute;top:0;left:0}.u-hz .u-cursor-x,.u-vt .u-cursor-y{border-right:1px dashed #607d8b;height:100%}.u-hz .u-cursor-y,.u-vt .u-cursor-x{border-bottom:1px dashed #607d8b;width:100%}.u-cursor-pt{pointer-events:none;will-change:transform;border:0 solid;border-radius:50%;position:absolute;top:0;left:0;background-clip:padding-box!important}.u-axis.u-off,.u-select.u-off,.u-cursor-x.u-off,.u-cursor-y.u-off,.u-cursor-pt.u-off{display:none}", yo), r);
	let i = Oa(n, {}).filter((e) => e.kind !== "button").map((e) => e.id), a = () => Na(n, Object.fromEntries(i.map((t) => [t, e.get(t)]))).state, o = (t) => {
		for (let n of i) JSON.stringify(e.get(n)) !== JSON.stringify(t[n]) && e.set(n, t[n]);
		e.save_changes();
	}, s = new mo(n, a(), vo(r), {
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
	let u = requestAnimationFrame(() => s.restyle(vo(r)));
	return () => {
		cancelAnimationFrame(u);
		for (let t of i) e.off(`change:${t}`, c);
		e.off("change:train", l), s.close();
	};
}
var Jf = { render: qf };
//#endregion
export { Jf as default };
